#!/usr/bin/env python3
"""Logs in to Antena with glewlwyd (Debian's package), a certified OpenID Connect provider, over loopback.

    glewlwyd.py ANTENA_BINARY

Starts glewlwyd with an SQLite database of its own, sets it up by its API (a client, a user, the plug-in for OpenID
Connect with an RSA key), starts Antena with it as a provider, and follows the log-in as a browser does: to the provider,
with the user's session and consent there, back, and through the form for a new account; then logs in again. Exits with 0
if all of it worked. Standard library only; needs glewlwyd, sqlite3 and openssl.
"""
import gzip
import http.cookiejar
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Keeps cookies, and follows no redirections by itself."""

    def __init__(self):
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), NoRedirect,
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def send(self, method, url, body=None, form=None):
        data, headers = None, {"Accept": "application/json, text/html"}
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if form is not None:
            data, headers["Content-Type"] = urllib.parse.urlencode(form).encode(), "application/x-www-form-urlencoded"
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            reply = self.opener.open(request, timeout=20)
        except urllib.error.HTTPError as error:
            reply = error
        return reply.status, reply.headers, reply.read().decode("utf-8", "replace")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"nothing listens on port {port}")


def expect(what, isRight, detail=""):
    print(f"{'ok' if isRight else 'WRONG'}: {what}", flush=True)
    if not isRight:
        sys.exit(f"{detail}"[:2000])


def configuration(folder, port):
    with open("/etc/glewlwyd/glewlwyd.conf", encoding="utf-8") as file:
        text = "\n".join(line for line in file.read().splitlines() if not line.startswith(("#", "@include")))
    for name, value in {"port": str(port), "external_url": f'"http://localhost:{port}/"', "log_mode": '"console"',
                        "bind_address": '"127.0.0.1"'}.items():
        text = re.sub(rf"(?m)^{name}\s*=.*$\n?", "", text)
        text = f"{name}={value}\n" + text
    text += f'\ndatabase = {{ type = "sqlite3"; path = "{folder}/glewlwyd.db"; }};\n'
    path = os.path.join(folder, "glewlwyd.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    database = sqlite3.connect(os.path.join(folder, "glewlwyd.db"))
    with gzip.open(SCHEMA, "rt", encoding="utf-8") as file:
        database.executescript(file.read())
    database.close()
    return path


def set_up(browser, origin, folder, redirect):
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "public.pem")
    subprocess.run(["openssl", "genrsa", "-out", key, "2048"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    status, _, text = browser.send("POST", f"{origin}/api/auth/", {"username": "admin", "password": "password"})
    expect("the administrator of glewlwyd logs in", status == 200, f"{status} {text}")
    with open(key, encoding="ascii") as private, open(certificate, encoding="ascii") as public:
        parameters = {
            "iss": f"{origin}/api/oidc", "jwt-type": "rsa", "jwt-key-size": "256", "key": private.read(),
            "cert": public.read(), "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 600,
            "refresh-token-rolling": True, "allow-non-oidc": False, "auth-type-code-enabled": True,
            "auth-type-token-enabled": False, "auth-type-id-token-enabled": False, "auth-type-none-enabled": False,
            "auth-type-password-enabled": False, "auth-type-client-enabled": False, "auth-type-device-enabled": False,
            "auth-type-refresh-enabled": False, "scope": [], "additional-parameters": [],
            "claims": [],
            "service-documentation": "", "op-policy-uri": "", "op-tos-uri": "", "jwks-show": True, "jwks-x5c": [],
            "request-parameter-allow": False, "pkce-allowed": True, "pkce-method-plain-allowed": False,
            "subject-type": "public", "name-claim": "mandatory", "email-claim": "mandatory", "scope-claim": "no",
            "allowed-scope": ["openid"], "introspection-revocation-allowed": False, "register-client-allowed": False,
            "session-management-allowed": False, "oauth-rar-allowed": False, "oauth-par-allowed": False,
        }
    for path, body in [
        ("mod/plugin", {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": True,
                        "parameters": parameters}),
        ("scope", {"name": "openid", "display_name": "OpenID", "description": "OpenID", "password_required": True,
                   "password_max_age": 0, "scheme": {}}),
        ("client", {"client_id": "antena", "name": "Antena", "enabled": True, "confidential": True, "password": "s3cret&",
                    "redirect_uri": [redirect], "authorization_type": ["code"], "token_endpoint_auth_method":
                    ["client_secret_basic", "client_secret_post"], "scope": []}),
        ("user", {"username": "ana", "name": "Ana G.", "email": "ana@example.org", "password": "correct horse", "enabled":
                  True, "scope": ["openid", "g_profile"]}),
    ]:
        method = "POST"
        status, _, text = browser.send(method, f"{origin}/api/{path}/", body)
        if path == "scope" and status == 400 and "already" in text:
            status, _, text = browser.send("PUT", f"{origin}/api/{path}/openid", body)
        expect(f"glewlwyd takes the {path}", status == 200, f"{status} {text}")


def authorize(address, origin):
    """What the provider's page does: log in, consent, go on."""
    browser = Browser()
    status, _, text = browser.send("POST", f"{origin}/api/auth/", {"username": "ana", "password": "correct horse"})
    expect("ana logs in to glewlwyd", status == 200, f"{status} {text}")
    status, _, text = browser.send("PUT", f"{origin}/api/auth/grant/antena/", {"scope": "openid"})
    expect("ana consents", status == 200, f"{status} {text}")
    status, headers, text = browser.send("GET", f"{address}&g_continue")
    expect("glewlwyd leads back", status == 302 and "/cuenta/proveedor/glewlwyd?" in headers["Location"],
           f"{status} {headers} {text}")
    return headers["Location"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for tool in ("glewlwyd", "openssl"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed: apt-get install {tool}")
    folder, programs = tempfile.mkdtemp(prefix="antena-glewlwyd-"), []
    port, http_port = free_port(), free_port()
    origin, site = f"http://localhost:{port}", f"http://localhost:{http_port}"
    try:
        log = open(os.path.join(folder, "glewlwyd.log"), "w", encoding="utf-8")
        programs.append(subprocess.Popen(
            ["glewlwyd", f"--config-file={configuration(folder, port)}"], stdout=log, stderr=log))
        wait_for(port)
        set_up(Browser(), origin, folder, f"{site}/cuenta/proveedor/glewlwyd")
        with open(os.path.join(ROOT, "channels.json"), encoding="utf-8") as file:
            channels = json.load(file)
        secret = os.path.join(folder, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write("s3cret&\n")
        channels["accounts"] = {"registration": "open", "providers": [
            {"id": "glewlwyd", "name": "Glewlwyd", "issuer": f"{origin}/api/oidc", "clientID": "antena",
             "secretFile": secret, "scopes": ["openid"]}]}
        with open(os.path.join(folder, "channels.json"), "w", encoding="utf-8") as file:
            json.dump(channels, file)
        for part in ("media/vod", "media/audio"):
            os.makedirs(os.path.join(folder, part))
        server_log = open(os.path.join(folder, "antena.log"), "w", encoding="utf-8")
        programs.append(subprocess.Popen(
            [sys.argv[1], "serve", "--http", f"127.0.0.1:{http_port}", "--rtsp", "127.0.0.1:0", "--wowza-port", "off",
             "--media", f"{folder}/media", "--data", f"{folder}/data", "--channels", f"{folder}/channels.json",
             "--public-url", site], stdout=server_log, stderr=server_log))
        wait_for(http_port)
        browser = Browser()
        for round_ in ("signs up", "logs in"):
            status, headers, text = browser.send("GET", f"{site}/cuenta/entrar/con/glewlwyd")
            expect("Antena leads to glewlwyd", status == 303 and headers["Location"].startswith(origin),
                   f"{status} {text} {open(server_log.name).read()}")
            status, headers, text = browser.send("GET", authorize(headers["Location"], origin))
            if round_ == "signs up":
                sealed = re.search(r'name="identity" value="([^"]+)"', text)
                expect("the form for a new account is shown", status == 200 and sealed,
                       f"{status} {text} {open(server_log.name).read()}")
                status, headers, text = browser.send(
                    "POST", f"{site}/cuenta/registro/con",
                    form={"username": "ana", "email": "ana@example.org", "identity": sealed.group(1)})
            expect(f"ana {round_}", status == 303, f"{status} {text} {open(server_log.name).read()}")
            status, _, text = browser.send("GET", f"{site}/api/v1/me")
            expect("the session is ana's", status == 200 and json.loads(text)["username"] == "ana", text)
            browser = Browser()
    finally:
        for program in reversed(programs):
            program.terminate()
            program.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
