-- Run by psql on the first primary: the garden's user, who owns its database and nothing else.
\getenv password GARDEN_PASSWORD
CREATE ROLE garden LOGIN PASSWORD :'password';
CREATE DATABASE garden OWNER garden ENCODING 'UTF8' TEMPLATE template0;
