import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The account pages in headless Chromium, from the link that the server prints at its first start.
    @Suite struct AccountPagesTests {
        private static let password = "correct horse battery"

        /// A server that knows its address, which passkeys need.
        ///
        /// - Parameter host: the name in the address; it leads to the loopback address.
        private static func serving(_ host: String) async throws -> (server: AntenaProcess, origin: String) {
            let port = try BrowserTests.freePort()
            let server = try AntenaProcess(extraArguments: ["--public-url", "http://\(host):\(port)"])
            try await server.start(http: port)
            return (server, "http://\(host):\(port)")
        }

        /// The path of the link for the first administrator in the server's log.
        private static func setUpPath(_ server: AntenaProcess) async throws -> String {
            try await eventually("the server prints the link; its log: \(server.log)") {
                server.log.firstMatch(of: /\/cuenta\/inicio\?link=[A-Za-z0-9_-]+/).map { String($0.0) }
            }
        }

        /// Fills in a form and sends it with its button.
        private static func submit(_ action: String, _ values: [(String, String)]) -> [String] {
            values.flatMap { name, value in
                ["--eval", "document.querySelector('form[action=\"\(action)\"] [name=\(name)]').value = '\(value)'"]
            } + ["--click", "form[action=\"\(action)\"] button"]
        }

        private static func isAt(_ path: String) -> [String] {
            ["--wait", "document.readyState === 'complete' && location.pathname === '\(path)'"]
        }

        private static func firstAdministrator() -> [String] {
            submit("/cuenta/inicio", [("username", "ana"), ("password", password)]) + isAt("/cuenta")
        }

        /// A host name that is not localhost and has no certificate: browsers send no `Sec-Fetch-Site` there.
        @Test func logsInAndOutWithoutHTTPS() async throws {
            let (server, origin) = try await Self.serving("tv.test")
            let link = try await Self.setUpPath(server)
            let browser = try BrowserTests.drive(
                origin + link, flags: ["--host-resolver-rules=MAP tv.test 127.0.0.1", "--lang=es"],
                Self.firstAdministrator() + [
                    "--wait", "document.querySelector('.who span:last-child').textContent === 'ana'",
                    "--wait", "!location.search.includes('link') && !document.referrer.includes('link')",
                ] + Self.submit("/cuenta/salir", []) + Self.isAt("/") + [
                    "--wait", "document.querySelector('.who').pathname === '/cuenta/entrar'",
                    "--eval", "location.href = '/cuenta'",
                ] + Self.isAt("/cuenta/entrar")
                    + Self.submit("/cuenta/entrar", [("username", "ANA"), ("password", Self.password)])
                    + Self.isAt("/cuenta"))
            try await BrowserTests.expectSuccess(browser)
            #expect(!server.log.contains(Self.password))
        }

        @Test func aPasskeyIsMadeUsedAndRemoved() async throws {
            let (server, origin) = try await Self.serving("localhost")
            let link = try await Self.setUpPath(server)
            let authenticator =
                "WebAuthn.addVirtualAuthenticator={\"options\": {\"protocol\": \"ctap2\", \"transport\": \"internal\", "
                + "\"hasResidentKey\": true, \"hasUserVerification\": true, \"isUserVerified\": true}}"
            let browser = try BrowserTests.drive(
                origin + link,
                ["--call", "WebAuthn.enable={}", "--call", authenticator] + Self.firstAdministrator()
                    // A wrong password makes no passkey, and the page says why.
                    + ["--wait", "location.pathname === '/cuenta'", "--eval", "location.href = '/cuenta/seguridad'"]
                    + Self.isAt("/cuenta/seguridad")
                    + Self.submit("/cuenta/llaves", [("name", "Laptop"), ("currentPassword", "wrong one")])
                    + ["--wait", "document.querySelector('form[action=\"/cuenta/llaves\"] .wrong').textContent !== ''"]
                    + Self.submit("/cuenta/llaves", [("name", "<b>Laptop</b>"), ("currentPassword", Self.password)])
                    + ["--wait", "location.search === '?hecho=1'"]
                    + [
                        "--wait",
                        "[...document.querySelectorAll('.name')].some(e => e.textContent === '<b>Laptop</b>')",
                    ]
                    + Self.submit("/cuenta/salir", []) + Self.isAt("/")
                    + ["--eval", "location.href = '/cuenta'"] + Self.isAt("/cuenta/entrar")
                    + ["--click", "form[action=\"/cuenta/entrar/llave\"] button"] + Self.isAt("/cuenta")
                    + ["--wait", "document.querySelector('.who span:last-child').textContent === 'ana'"]
                    + ["--eval", "location.href = '/cuenta/seguridad'"] + Self.isAt("/cuenta/seguridad")
                    + Self.submit("/cuenta/llaves/quitar", [("currentPassword", Self.password)])
                    + ["--wait", "document.querySelector('form[action=\"/cuenta/llaves/quitar\"]') === null"]
                    + Self.submit("/cuenta/salir", []) + Self.isAt("/")
                    + ["--eval", "location.href = '/cuenta/entrar'"] + Self.isAt("/cuenta/entrar")
                    + ["--click", "form[action=\"/cuenta/entrar/llave\"] button"]
                    + ["--wait", "document.querySelector('[role=alert]:not(:empty)') !== null"]
                    + ["--wait", "document.querySelector('.who span:last-child').textContent !== 'ana'"])
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
