import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Log-ins with a real OpenID Connect provider (https://pypi.org/project/oidc-provider-mock/), in Chromium.
    @Suite struct IdentityProviderTests {
        private static let password = "correct horse battery"
        /// The provider's page names a style sheet of another site; nothing leaves this machine.
        private static let flags = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"]

        private static func isListening(_ port: Int) -> Bool { (try? TCPConnection(port: port)) != nil }

        /// - Parameter picture: the file with the picture of the person.
        private static func provider(_ port: Int, picture: String = "") async throws -> BackgroundProgram {
            let program = "\(Repository.path)/.build/oidc-provider/bin/python"
            try #require(
                FileManager.default.isExecutableFile(atPath: program), "run Scripts/setup.sh test, which installs it")
            let claims =
                #"{"sub": "ana@example.org", "email": "ana@example.org", "email_verified": true,"#
                + #" "preferred_username": "ana", "name": "Ana G.", "groups": ["crew"],"#
                + #" "picture": "http://localhost:\#(port)/picture.jpg"}"#
            let script = "\(Repository.path)/Tests/Support/oidc-provider.py"
            let provider = try BackgroundProgram(
                "env", [program, script, picture, "--port", "\(port)", "--require-nonce", "--user-claims", claims])
            _ = try await eventually("the provider listens: \(provider.errorOutput)", within: 30) {
                isListening(port) ? true : nil
            }
            return provider
        }

        private static func serving(_ port: Int, secret: String) async throws -> AntenaProcess {
            let folder = try TemporaryDirectory(label: "e2e")
            let secretFile = try folder.write(secret + "\n", to: "secret")
            let provider = """
                {"id": "school", "name": "School <b>account</b>", "issuer": "http://localhost:\(port)",
                 "clientID": "antena", "secretFile": "\(secretFile)",
                 "roles": {"claim": "groups", "values": {"crew": "broadcaster"}}}
                """
            let channels = AntenaProcess.channelsFile([:])
            let accounts = "{\"accounts\": {\"registration\": \"open\", \"providers\": [\(provider)]},"
            let http = try BrowserTests.freePort()
            let server = try AntenaProcess(
                extraArguments: ["--public-url", "http://localhost:\(http)"], folder: folder,
                channels: accounts + channels.drop { $0 != "{" }.dropFirst())
            try await server.start(http: http)
            return server
        }

        private static func authorize(_ subject: String) -> [String] {
            [
                "--wait", "document.querySelector('[name=sub]') !== null",
                "--eval", "document.querySelector('[name=sub]').value = '\(subject)'",
                "--click", "button",
            ]
        }

        private static func isAt(_ path: String) -> [String] {
            ["--wait", "document.readyState === 'complete' && location.pathname === '\(path)'"]
        }

        @Test func somebodySignsUpLogsInAndTheProviderDecidesTheRole() async throws {
            let port = try BrowserTests.freePort()
            let provider = try await Self.provider(port)
            let server = try await Self.serving(port, secret: "s3cret")
            let origin = "http://localhost:\(server.web.port)"
            let begin = ["--click", "a[href^=\"/cuenta/entrar/con/school\"]"]
            let browser = try BrowserTests.drive(
                "\(origin)/cuenta/entrar", flags: Self.flags,
                [
                    "--wait",
                    "document.querySelector('a[href=\"/cuenta/entrar/con/school\"]').textContent.includes('<b>')",
                ]
                    + begin + Self.authorize("ana@example.org")
                    // The form proposes what the provider says; the address is not asked for again by mail.
                    + [
                        "--wait",
                        "document.querySelector('form[action=\"/cuenta/registro/con\"] [name=username]')?.value === 'ana'",
                    ]
                    + ["--wait", "document.querySelector('[name=email]').value === 'ana@example.org'"]
                    + ["--click", "form[action=\"/cuenta/registro/con\"] button"] + Self.isAt("/cuenta")
                    + ["--wait", "document.body.textContent.includes('broadcaster')"]
                    + ["--click", "form[action=\"/cuenta/salir\"] button"] + Self.isAt("/")
                    + ["--eval", "location.href = '/cuenta/entrar?next=/radio'"] + Self.isAt("/cuenta/entrar")
                    + ["--click", "a[href^=\"/cuenta/entrar/con/school\"][href$=\"stay=1\"]"]
                    + Self.authorize("ana@example.org") + Self.isAt("/radio")
                    + ["--wait", "document.querySelector('.who span:last-child').textContent === 'ana'"]
                    // Saying no leads back, with a page that says so.
                    + ["--eval", "location.href = '/cuenta/entrar/con/school'"]
                    + ["--wait", "document.querySelector('[name=sub]') !== null"]
                    + ["--click", "button[value=deny]"]
                    + Self.isAt("/cuenta/proveedor/school")
                    + ["--wait", "document.querySelector('[role=alert]') !== null"])
            try await BrowserTests.expectSuccess(browser)
            let list = try await server.command(["user", "list", "--server", server.origin]).text
            #expect(list.contains("broadcaster") && list.contains("ana"))
            let audit = try await server.command(["audit", "--user", "ana", "--server", server.origin]).text
            #expect(audit.contains("session.created"))
            #expect(!server.log.contains("s3cret") && !server.log.contains("code="), "\(server.log)")
            provider.kill()
        }

        @Test func anExistingAccountIsConnectedByItsOwnerOnly() async throws {
            let port = try BrowserTests.freePort()
            let folder = try TemporaryDirectory(label: "picture")
            let picture = try folder.file("picture.jpg")
            try await MediaClients.make(
                picture, ["-f", "lavfi", "-i", "color=red:size=300x200", "-frames:v", "1", "-update", "1"])
            let provider = try await Self.provider(port, picture: picture)
            let server = try await Self.serving(port, secret: "s3cret")
            try await AccountTests.add("eva", "member", server)
            let origin = "http://localhost:\(server.web.port)"
            let logIn = [
                "--eval", "document.querySelector('[name=username]').value = 'eva'",
                "--eval", "document.querySelector('[name=password]').value = '\(Self.password)'",
                "--click", "form[action=\"/cuenta/entrar\"] button",
            ]
            let browser = try BrowserTests.drive(
                "\(origin)/cuenta", flags: Self.flags,
                Self.isAt("/cuenta/entrar") + logIn + Self.isAt("/cuenta")
                    + ["--eval", "location.href = '/cuenta/seguridad'"] + Self.isAt("/cuenta/seguridad")
                    + ["--click", "a[href=\"/cuenta/proveedores/school\"]"] + Self.authorize("ana@example.org")
                    + ["--wait", "document.querySelector('form[action=\"/cuenta/proveedores\"]') !== null"]
                    + ["--eval", "document.querySelector('[name=currentPassword]').value = '\(Self.password)'"]
                    + ["--click", "form[action=\"/cuenta/proveedores\"] button"]
                    + ["--wait", "location.search === '?hecho=1'"]
                    + ["--wait", "document.querySelector('form[action=\"/cuenta/proveedores/quitar\"]') !== null"]
                    + ["--wait", "document.querySelector('img.photo') === null"]
                    + ["--click", "a[href=\"/cuenta/proveedores/school/foto\"]"]
                    + Self.authorize("ana@example.org") + Self.isAt("/cuenta")
                    + ["--wait", "document.querySelector('img.photo')?.naturalWidth > 0"]
                    // Another person's picture is not taken.
                    + ["--eval", "location.href = '/cuenta/seguridad'"] + Self.isAt("/cuenta/seguridad")
                    + ["--click", "a[href=\"/cuenta/proveedores/school/foto\"]"] + Self.authorize("eve@example.org")
                    + Self.isAt("/cuenta/proveedor/school")
                    + ["--wait", "document.querySelector('[role=alert]') !== null"]
                    + ["--eval", "location.href = '/cuenta'"] + Self.isAt("/cuenta")
                    + ["--click", "form[action=\"/cuenta/salir\"] button"] + Self.isAt("/")
                    + ["--eval", "location.href = '/cuenta/entrar/con/school'"] + Self.authorize("ana@example.org")
                    + Self.isAt("/") + [
                        "--wait", "document.querySelector('.who span:last-child').textContent === 'eva'",
                    ])
            try await BrowserTests.expectSuccess(browser)
            // An answer counts in the browser that has begun the log-in only, and once the provider is away the page
            // says so.
            let stolen = try await server.web.request(
                "/cuenta/proveedor/school?code=abc&state=xyz", headers: ["Accept": "text/html"])
            #expect(stolen.status == 403 && stolen.text.contains("another browser"))
            provider.kill()
            _ = try await eventually("the provider has ended", within: 10) { Self.isListening(port) ? nil : true }
            let unknown = try await server.web.request("/cuenta/entrar/con/nobody", headers: ["Accept": "text/html"])
            #expect(unknown.status == 404)
            #expect(server.log.contains("log-in with an identity provider failed"))
        }
    }
}
