"""A peer: Django REST framework on the same SQLite tables, served by gunicorn (see targets.ts)."""

import hashlib
import os

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="for measuring only",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=["django.middleware.gzip.GZipMiddleware"],
    USE_TZ=True,
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["PEER_DATABASE"],
            "CONN_MAX_AGE": None,
        }
    },
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import authentication, exceptions, generics, permissions, serializers  # noqa: E402


class Token(models.Model):
    digest = models.TextField(primary_key=True)
    user_id = models.IntegerField()

    class Meta:
        app_label, db_table, managed = "peer", "tokens", False


class Problem(models.Model):
    title = models.TextField()
    source = models.TextField()
    source_key = models.TextField()
    url = models.TextField(null=True)
    rating = models.IntegerField(null=True)
    editorial_url = models.TextField(null=True)
    video_url = models.TextField(null=True)
    created_at = models.TextField()
    updated_at = models.TextField()

    class Meta:
        app_label, db_table, managed = "peer", "problems", False


class Listed(models.Model):
    # With the problem it is the key of the table; this Django knows keys of one column only, and reads do not mind.
    position = models.IntegerField(primary_key=True)

    class Meta:
        abstract, app_label, managed = True, "peer", False
        ordering = ["problem_id", "position"]


class ProblemTag(Listed):
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="tags")
    tag = models.TextField()

    class Meta(Listed.Meta):
        db_table = "problem_tags"


class ProblemAlias(Listed):
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="aliases")
    alias = models.TextField()

    class Meta(Listed.Meta):
        db_table = "problem_aliases"


class Status(models.Model):
    problem = models.OneToOneField(Problem, models.CASCADE, primary_key=True)
    user_id = models.IntegerField()
    status = models.TextField()
    origin = models.TextField(null=True)
    updated_at = models.TextField(null=True)

    class Meta:
        app_label, db_table, managed = "peer", "statuses", False


class Plant(models.Model):
    user_id = models.IntegerField()

    class Meta:
        app_label, db_table, managed = "peer", "plants", False


class BearerAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        digest = hashlib.sha256(token.encode()).hexdigest()
        found = Token.objects.filter(digest=digest).first() if scheme == "Bearer" else None
        if found is None:
            raise exceptions.AuthenticationFailed()
        return found, token

    def authenticate_header(self, request):
        return "Bearer"


class HasMember(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.user is not None


class MembersOnly:
    authentication_classes = [BearerAuthentication]
    permission_classes = [HasMember]


class ProblemSerializer(serializers.ModelSerializer):
    tags = serializers.SlugRelatedField("tag", source="tag_rows", many=True, read_only=True)
    aliases = serializers.SlugRelatedField("alias", source="alias_rows", many=True, read_only=True)

    class Meta:
        model = Problem
        fields = [
            *("id", "title", "source", "source_key", "url", "rating", "tags", "aliases"),
            *("editorial_url", "video_url", "created_at", "updated_at"),
        ]


class StatusSerializer(serializers.ModelSerializer):
    id = serializers.IntegerField(source="problem_id")
    user = serializers.IntegerField(source="user_id")
    problem = serializers.IntegerField(source="problem_id")

    class Meta:
        model = Status
        fields = ["id", "user", "problem", "status", "origin", "updated_at"]


def with_lists(found):
    # As attributes: a manager for the lists of each problem would double the time of ten thousand.
    tags, aliases = models.Prefetch("tags", to_attr="tag_rows"), models.Prefetch("aliases", to_attr="alias_rows")
    return found.prefetch_related(tags, aliases)


class ProblemList(MembersOnly, generics.ListAPIView):
    serializer_class = ProblemSerializer

    def get_queryset(self):
        found, query = with_lists(Problem.objects.order_by("id")), self.request.query_params
        if "status" in query:
            mine = Status.objects.filter(user_id=self.request.user.user_id, status=query["status"])
            found = found.filter(pk__in=mine.values("problem_id"))
        if "rating_min" in query:
            found = found.filter(rating__gte=int(query["rating_min"]))
        return found[: int(query["limit"])] if "limit" in query else found


class ProblemDetail(MembersOnly, generics.RetrieveAPIView):
    queryset = with_lists(Problem.objects.all())
    serializer_class = ProblemSerializer


class StatusList(MembersOnly, generics.ListAPIView):
    serializer_class = StatusSerializer

    def get_queryset(self):
        return Status.objects.filter(user_id=self.request.user.user_id).order_by("problem_id")


class PlantDetail(MembersOnly, generics.DestroyAPIView):
    def get_queryset(self):
        return Plant.objects.filter(user_id=self.request.user.user_id)


urlpatterns = [
    path("problem_list/api/problems/", ProblemList.as_view()),
    path("problem_list/api/problems/<int:pk>/", ProblemDetail.as_view()),
    path("problem_list/api/status/", StatusList.as_view()),
    path("plants/<int:pk>", PlantDetail.as_view()),
]
application = get_wsgi_application()
