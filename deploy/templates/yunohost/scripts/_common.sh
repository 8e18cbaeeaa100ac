#!/bin/bash
# Steps that several scripts of the package share.

install_program() {
  ynh_setup_source --dest_dir="$install_dir"
  pushd "$install_dir"
    ynh_hide_warnings npm ci --omit=dev
  popd
  chown -R root:"$app" "$install_dir"
}

add_configs() {
  ynh_config_add_systemd
  ynh_config_add_nginx
}
