import TestSupport
import Accounts
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebSite

/// A visitor's use of the account pages without a script: read a page, fill in its forms, and send them.
@Suite(.eitherEngine) struct AccountPagesTests {
    /// A browser with one cookie.
    final class Browser {
        private let responder: GatewayResponder
        private(set) var cookie: String?
        private(set) var status = HTTPResponse.Status.ok
        private(set) var path = ""
        private(set) var html = ""
        private(set) var headers: HTTPFields = [:]
        let language: String

        init(_ table: EndpointTable, language: String = "en") {
            (responder, self.language) = (table.router().buildResponder(), language)
        }

        /// - Parameter fields: further fields of the request's header.
        func open(_ path: String, _ fields: HTTPFields = [:]) async throws {
            try await send(.get, path, nil, type: "", fields)
        }

        /// Fills in a form of the page as it is shown, and sends it.
        func submit(_ action: String, _ values: [String: String] = [:]) async throws {
            let form = try #require(try Self.forms(html)[action], "no form \(action) on \(path)")
            let fields = form.fields.merging(values) { $1 }
            let body = fields.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
            try await send(.post, form.address, body)
        }

        func post(_ action: String, _ body: String) async throws { try await send(.post, action, body) }

        func post(_ action: String, bytes: [UInt8], type: String) async throws {
            try await send(.post, action, ByteBuffer(bytes: bytes), type: type)
        }

        private func send(_ method: HTTPRequest.Method, _ path: String, _ body: String?) async throws {
            try await send(
                method, path, body.map { ByteBuffer(string: $0) }, type: "application/x-www-form-urlencoded")
        }

        private func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: ByteBuffer?, type: String, _ fields: HTTPFields = [:]
        ) async throws {
            var headers: HTTPFields = [.accept: "text/html", .acceptLanguage: language, .userAgent: "Browser <b>1</b>"]
            for field in fields { headers.append(field) }
            if let cookie { headers[.cookie] = "antena_session=\(cookie)" }
            if body != nil { headers[.contentType] = type }
            let answer = try await Application(responder: responder).test(.live) { [headers] client in
                try await client.execute(
                    uri: path, method: method, headers: headers, body: body)
            }
            if let set = answer.headers[.setCookie] {
                let value = set.dropFirst("antena_session=".count).prefix { $0 != ";" }
                cookie = value.isEmpty ? nil : String(value)
            }
            (status, self.path, html) = (answer.status, path, String(buffer: answer.body))
            self.headers = answer.headers
            if answer.status == .seeOther, let location = answer.headers[.location] {
                // A browser keeps the fragment for itself.
                try await send(.get, String(location.prefix { $0 != "#" }), nil)
            }
        }

        private static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }

        /// Sends a form of the page with a file, as browsers do.
        func submit(_ action: String, _ values: [String: String], file: (name: String, bytes: [UInt8])) async throws {
            let form = try #require(try Self.forms(html)[action], "no form \(action) on \(path)")
            var body = Array("--x\r\n".utf8)
            for (name, value) in form.fields.merging(values, uniquingKeysWith: { $1 }) where name != file.name {
                body += Array("Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--x\r\n".utf8)
            }
            body += Array(
                ("Content-Disposition: form-data; name=\"\(file.name)\"; filename=\"me.jpg\"\r\n"
                    + "Content-Type: image/jpeg\r\n\r\n").utf8)
            body += file.bytes + Array("\r\n--x--\r\n".utf8)
            try await post(form.address, bytes: body, type: "multipart/form-data; boundary=x")
        }

        /// The forms of a page, by the path that they are sent to.
        private static func forms(_ html: String) throws -> [String: (address: String, fields: [String: String])] {
            let forms = html.matches(of: /<form method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/).map { form in
                var fields: [String: String] = [:]
                for input in form.2.matches(of: /<input[^>]*>/) where !input.0.contains("checkbox") {
                    guard let name = input.0.firstMatch(of: /name="([^"]*)"/)?.1 else { continue }
                    let value = input.0.firstMatch(of: /value="([^"]*)"/)?.1 ?? ""
                    fields[String(name)] = String(value).replacing("&amp;", with: "&").replacing("&lt;", with: "<")
                        .replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                }
                let address = String(form.1).replacing("&amp;", with: "&")
                return (String(address.prefix { $0 != "?" }), (address, fields))
            }
            return Dictionary(forms) { first, _ in first }
        }

        var secret: String {
            let found = html.firstMatch(of: /<pre class="secret"[^>]*>([^<]*)/)?.1 ?? ""
            return String(found).replacing("&amp;", with: "&")
        }

        var heading: String { String(html.firstMatch(of: /<h1>([^<]*)/)?.1 ?? "") }
        var problem: String { String(html.firstMatch(of: /role="alert">([^<]*)/)?.1 ?? "") }
    }

    let fixture: TestAccounts
    let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts))
    }

    func member(_ name: String, _ role: Role = .member) async throws -> Browser {
        _ = try await fixture.accounts.createAccount(
            Registration(username: name, password: TestAccounts.password), role: role, by: TestAccounts.machine)
        let browser = Browser(table)
        try await browser.open("/cuenta/entrar")
        try await browser.submit("/cuenta/entrar", ["username": name, "password": TestAccounts.password])
        #expect(browser.cookie != nil)
        return browser
    }

    @Test func theFirstAdministratorComesByTheLink() async throws {
        let link = try #require(try await fixture.accounts.setUpLink())
        let browser = Browser(table, language: "es")
        try await browser.open("/cuenta/inicio?link=\(link.secret.text)")
        #expect(browser.heading == "El primer administrador")
        #expect(browser.headers[.cacheControl] == "private, no-store")
        #expect(browser.headers[try #require(HTTPField.Name("Referrer-Policy"))] == "strict-origin")
        // What is wrong is said beside its field, and the link is still there.
        try await browser.submit("/cuenta/inicio", ["username": "ana", "password": "abc"])
        #expect(browser.status == .unprocessableContent && browser.html.contains("id=\"wrong-password\""))
        try await browser.submit("/cuenta/inicio", ["username": "ana", "password": TestAccounts.password])
        #expect(browser.path == "/cuenta" && browser.heading == "ana" && browser.html.contains("administrador"))
        let other = Browser(table)
        try await other.open("/cuenta/inicio?link=\(link.secret.text)")
        try await other.submit("/cuenta/inicio", ["username": "eve", "password": TestAccounts.password])
        #expect(other.status == .gone && other.cookie == nil)
    }

    @Test func aVisitorIsLedToTheLogInAndBack() async throws {
        _ = try await fixture.session("ana")
        let browser = Browser(table)
        try await browser.open("/cuenta")
        #expect(browser.heading == "Log in" && browser.path == "/cuenta/entrar?next=%2Fcuenta")
        try await browser.submit("/cuenta/entrar", ["username": "ANA", "password": "wrong"])
        #expect(browser.status == .forbidden && browser.problem == "The username or the password is wrong.")
        try await browser.submit("/cuenta/entrar", ["username": "ANA", "password": TestAccounts.password])
        #expect(browser.path == "/cuenta" && browser.html.contains("<span>ana</span></a>"))
        try await browser.submit("/cuenta/salir")
        #expect(browser.path == "/" && browser.cookie == nil)
    }

    @Test(
        arguments: [
            "//evil.org", "/\\evil.org", "https://evil.org", "javascript:alert(1)", "/\t/evil.org", "/api/v1/me",
            "/cuenta/salir", "/cuenta/entrar", "/cuenta/dispositivo/../salir", "/cuenta/usuarios/enlace", "evil.org",
            "/%", String(repeating: "/a", count: 600),
        ])
    func nobodyIsLedToAnotherSite(_ path: String) async throws {
        _ = try await fixture.session("ana")
        let browser = Browser(table)
        let encoded = try #require(path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        try await browser.open("/cuenta/entrar?next=\(encoded)")
        try await browser.submit("/cuenta/entrar", ["username": "ana", "password": TestAccounts.password])
        #expect(browser.path == (path == "/%" ? "/%" : "/"))
        // The field of the form is no better than the address.
        let other = Browser(table)
        try await other.open("/cuenta/entrar")
        try await other.post(
            "/cuenta/entrar", "username=ana&password=\(TestAccounts.password.replacing(" ", with: "+"))&next=\(encoded)"
        )
        #expect(other.path == (path == "/%" ? "/%" : "/"))
    }

    @Test func signingUpFollowsThePolicy() async throws {
        var settings = fixture.accounts.settings
        settings.requiredFields = [.email, .city]
        fixture.accounts.settings = settings
        let browser = Browser(table)
        try await browser.open("/cuenta/registro")
        #expect(browser.html.contains("Country (optional)") && !browser.html.contains("City (optional)"))
        try await browser.submit("/cuenta/registro", ["username": "ana", "password": TestAccounts.password])
        #expect(browser.html.contains("id=\"wrong-email\"") && browser.html.contains("id=\"wrong-city\""))
        #expect(browser.html.contains("value=\"ana\"") && !browser.html.contains(TestAccounts.password))
        try await browser.submit(
            "/cuenta/registro", ["email": "ana@example.org", "city": "A", "password": TestAccounts.password])
        #expect(browser.path == "/cuenta" && browser.heading == "ana")
        settings.registration = .closed
        fixture.accounts.settings = settings
        let late = Browser(table)
        try await late.open("/cuenta/registro")
        #expect(late.html.contains("Nobody can sign up here.") && !late.html.contains("name=\"username\""))
        let body = "username=bea&password=\(TestAccounts.password.replacing(" ", with: "+"))"
        try await late.post("/cuenta/registro", body)
        #expect(late.status == .forbidden && late.cookie == nil)
    }

    @Test func invitationsWorkOnce() async throws {
        var settings = fixture.accounts.settings
        settings.registration = .invitation
        fixture.accounts.settings = settings
        let administrator = try await member("ana", .administrator)
        try await administrator.open("/cuenta/usuarios")
        try await administrator.submit("/cuenta/usuarios/invitar", ["role": "broadcaster"])
        let link = administrator.secret
        let path = try #require(link.range(of: "/cuenta/registro").map { String(link[$0.lowerBound...]) })
        let guest = Browser(table)
        try await guest.open(path)
        try await guest.submit("/cuenta/registro", ["username": "bea", "password": TestAccounts.password])
        #expect(guest.path == "/cuenta" && guest.html.contains("Role: broadcaster"))
        let second = Browser(table)
        try await second.open(path)
        try await second.submit("/cuenta/registro", ["username": "eve", "password": TestAccounts.password])
        #expect(second.status != .ok && second.cookie == nil)
    }

    @Test func theLanguageOfAnAccountIsThatOfItsPages() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta")
        #expect(browser.html.contains("<html lang=\"en\"") && browser.html.contains(">Same as the browser<"))
        try await browser.submit("/cuenta/datos", ["language": "es"])
        #expect(browser.html.contains("<html lang=\"es\"") && browser.html.contains(">El mismo del navegador<"))
        try await browser.open("/acerca")
        #expect(browser.html.contains("<html lang=\"es\""))
        let visitor = Browser(table)
        try await visitor.open("/acerca")
        #expect(visitor.html.contains("<html lang=\"en\""))
        try await browser.open("/cuenta")
        try await browser.submit("/cuenta/datos", ["language": "fr"])
        #expect(browser.html.contains("<html lang=\"en\""), "what the site does not have is no choice")
    }

    /// Of paths that no page has, of pages for others, and of what a page does not take.
    @Test func theLanguageOfAnAccountIsThatOfErrorPages() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta")
        try await browser.submit("/cuenta/datos", ["language": "es"])
        try await browser.open("/nothing/here")
        #expect(browser.status == .notFound && browser.html.contains("<html lang=\"es\""))
        #expect(browser.html.contains(">ana<"), "it is a page for somebody who has logged in")
        try await browser.open("/cuenta/usuarios")
        #expect(browser.status == .forbidden && browser.html.contains("Tu cuenta no tiene permiso para esto."))
        try await browser.post("/acerca", "")
        #expect(browser.status == .methodNotAllowed && browser.html.contains("<html lang=\"es\""))
        #expect(browser.headers[.allow] == "GET, HEAD")
        // A visitor has the browser's, whatever cookie they make up.
        let visitor = Browser(table, language: "es")
        try await visitor.open("/nothing/here", [.cookie: "antena_session=made-up"])
        #expect(visitor.html.contains("<html lang=\"es\"") && !visitor.html.contains(">ana<"))
    }

    @Test func aMemberKeepsTheirAccount() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta")
        try await browser.submit("/cuenta/datos", ["name": "<script>x</script>", "city": "\u{202E}A"])
        #expect(browser.status == .unprocessableContent)
        try await browser.submit("/cuenta/datos", ["name": "<script>x</script>", "city": "Cádiz"])
        #expect(browser.html.contains("value=\"Cádiz\"") && !browser.html.contains("<script>x"))
        try await browser.open("/cuenta/dispositivos")
        #expect(!browser.html.contains("<b>1</b>"))
        try await browser.submit("/cuenta/tokens", ["name": "TV", "kind": "appPassword"])
        let secret = browser.secret
        #expect(
            try await fixture.accounts.principal("ana", appPassword: secret, from: TestAccounts.origin) != nil)
        try await browser.open("/cuenta/dispositivos")
        #expect(!browser.html.contains(secret))
        try await browser.submit("/cuenta/tokens/revocar")
        fixture.clock.advance(by: .seconds(2))
        #expect(
            try await fixture.accounts.principal("ana", appPassword: secret, from: TestAccounts.origin) == nil)
        try await browser.open("/cuenta/seguridad")
        try await browser.submit("/cuenta/contrasena", ["password": "another long one", "currentPassword": "wrong"])
        #expect(browser.status == .forbidden)
        try await browser.submit(
            "/cuenta/contrasena", ["password": "another long one", "currentPassword": TestAccounts.password])
        #expect(browser.html.contains("role=\"status\">Done."))
        try await browser.open("/cuenta/mis-datos")
        try await browser.submit("/cuenta/borrar", ["currentPassword": "another long one"])
        #expect(browser.path == "/" && browser.cookie == nil)
        try await browser.open("/cuenta")
        #expect(browser.heading == "Log in")
    }

    @Test func aSecondFactorIsAskedFor() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta/seguridad")
        try await browser.submit("/cuenta/segundo-factor", ["currentPassword": TestAccounts.password])
        #expect(browser.secret.hasPrefix("otpauth://totp/Antena:ana?secret="))
        try await browser.submit("/cuenta/segundo-factor/codigo", ["code": "000000"])
        #expect(browser.status == .forbidden && browser.secret.hasPrefix("otpauth://"))
    }

    @Test func administratorsChangeAccountsAndReadTheLog() async throws {
        let administrator = try await member("ana", .administrator)
        let bea = try await member("bea")
        try await administrator.open("/cuenta/usuarios?q=be")
        #expect(administrator.html.contains(">bea</span>") && !administrator.html.contains("class=\"name\">ana</span>"))
        try await administrator.submit("/cuenta/usuarios", [:])
        fixture.clock.advance(by: .seconds(2))
        try await bea.open("/cuenta")
        #expect(bea.heading == "Log in", "a suspended account's session is dead")
        try await administrator.open("/cuenta/registro-de-cambios")
        #expect(administrator.html.contains("account.suspended"))
        try await administrator.open("/cuenta/usuarios")
        try await administrator.submit("/cuenta/usuarios", ["do": "role", "role": "king"])
        #expect(administrator.status == .unprocessableContent)
        let other = try await member("eve")
        for path in ["/cuenta/usuarios", "/cuenta/registro-de-cambios"] {
            try await other.open(path)
            #expect(other.status == .forbidden)
        }
        let token = try #require(other.cookie.flatMap { Secret(.session, parsing: $0) }).text
        #expect(!other.html.contains(token))
        try await other.post("/cuenta/usuarios", "do=role&role=administrator")
        #expect(other.status == .forbidden)
    }

    @Test func administratorsRevokeTheTokensOfOthers() async throws {
        let administrator = try await member("ana", .administrator)
        let bea = try await member("bea")
        try await bea.open("/cuenta/dispositivos")
        try await bea.submit("/cuenta/tokens", ["name": "<i>OBS</i>", "kind": "apiToken"])
        try await administrator.open("/cuenta/usuarios?q=bea")
        let path = try #require(administrator.html.firstMatch(of: #/href="(\/cuenta\/usuarios\/[^"]+\/tokens)"/#)).1
        try await bea.open(String(path))
        #expect(bea.status == .forbidden)
        try await administrator.open(String(path))
        #expect(administrator.html.contains("&lt;i&gt;OBS&lt;/i&gt;") && !administrator.html.contains("<i>OBS"))
        try await administrator.submit(String(path), [:])
        #expect(administrator.path == path && !administrator.html.contains("OBS"))
        try await bea.open("/cuenta/dispositivos")
        #expect(!bea.html.contains("OBS"))
        for wrong in ["/cuenta/usuarios/x/tokens", "/cuenta/usuarios/\(UUID())/tokens"] {
            try await administrator.open(wrong)
            #expect(administrator.status == .notFound, "\(wrong)")
        }
    }

    /// Two windows with the same form: the second that is sent is refused, and keeps what was typed.
    @Test func aFormThatCameTooLateKeepsWhatWasTyped() async throws {
        let (first, second) = (try await member("ana"), Browser(table))
        try await second.open("/cuenta/entrar")
        try await second.submit("/cuenta/entrar", ["username": "ana", "password": TestAccounts.password])
        for browser in [first, second] { try await browser.open("/cuenta") }
        try await first.submit("/cuenta/datos", ["city": "Vigo"])
        #expect(first.status == .ok && first.html.contains("value=\"Vigo\""))
        try await second.submit("/cuenta/datos", ["city": "Cádiz"])
        #expect(second.status == .preconditionFailed)
        #expect(second.html.contains("Somebody else has changed this meanwhile"))
        #expect(second.html.contains("value=\"Cádiz\""))
        try await second.submit("/cuenta/datos")
        #expect(second.status == .ok && second.html.contains("value=\"Cádiz\""))
    }

    @Test func anAdministratorsFormThatCameTooLateIsRefused() async throws {
        let (first, second) = (try await member("ana", .administrator), try await member("eve", .administrator))
        _ = try await member("bea")
        for browser in [first, second] { try await browser.open("/cuenta/usuarios?q=bea") }
        try await first.submit("/cuenta/usuarios", ["do": "role", "role": "moderator"])
        #expect(first.status == .ok)
        try await second.submit("/cuenta/usuarios", ["do": "role", "role": "broadcaster"])
        #expect(second.status == .preconditionFailed)
        #expect(second.html.contains("Somebody else has changed this meanwhile"))
        #expect(second.html.contains("<option value=\"broadcaster\" selected>"))
        let account = try await fixture.accounts.account(named: "bea", by: TestAccounts.machine)
        #expect(account.role == .moderator)
    }

    @Test func pagesOfAMemberAreKeptByNobody() async throws {
        let browser = try await member("ana")
        for path in ["/", "/videoclub", "/cuenta"] {
            try await browser.open(path)
            #expect(browser.headers[.cacheControl] == "private, no-store", "\(path)")
            #expect(browser.headers[.vary]?.contains("Cookie") == true)
        }
        // A form without the token of the session, as another site would send it.
        try await browser.post("/cuenta/datos", "name=x")
        #expect(browser.status == .forbidden && browser.html.contains("<h1>"))
    }

    @Test func theAddressOfTheSecondFactorIsDrawnToo() async throws {
        let browser = try await member("ana")
        try await browser.open("/cuenta/seguridad")
        try await browser.submit("/cuenta/segundo-factor", ["currentPassword": TestAccounts.password])
        let code = try #require(QRCode(browser.secret)).svg(label: "QR code for the authenticator app")
        #expect(browser.html.contains(code))
    }

    @Test(arguments: [
        "/cuenta/dispositivo?code=ABCD-EFGH", "/cuenta/usuarios?q=a", "/cuenta/registro-de-cambios",
        "/cuenta/seguridad", "/cuenta/mis-datos",
    ])
    func pagesOfMembersLeadToTheLogInAndBack(_ path: String) async throws {
        _ = try await fixture.session("ana", .administrator)
        let browser = Browser(table)
        try await browser.open(path)
        #expect(browser.heading == "Log in")
        try await browser.submit("/cuenta/entrar", ["username": "ana", "password": TestAccounts.password])
        #expect(browser.path == path && browser.status == .ok)
    }

    /// Everything that a member or a device can name itself, on every page that shows it.
    @Test func namesFullOfMarkupAreShownAsText() async throws {
        let administrator = try await member("ana", .administrator)
        let markup = "<img src=x onerror=alert(1)>\"'&{{x}}"
        let bea = try await member("bea")
        try await bea.open("/cuenta")
        try await bea.submit("/cuenta/datos", ["name": markup, "city": markup, "country": markup])
        try await bea.open("/cuenta/dispositivos")
        try await bea.submit("/cuenta/tokens", ["name": markup])
        let device = try await fixture.accounts.authorizeDevice(
            from: RequestOrigin(TestAccounts.origin.group, address: "192.0.2.9", device: markup))
        try await bea.open("/cuenta/dispositivo")
        try await bea.submit("/cuenta/dispositivo", ["code": device.userCode.description])
        #expect(bea.html.contains("&lt;img src=x") && !bea.html.contains("<img src=x"))
        for (browser, path) in [
            (bea, "/"), (bea, "/cuenta"), (bea, "/cuenta/dispositivos"), (administrator, "/cuenta/usuarios"),
            (administrator, "/cuenta/registro-de-cambios"), (administrator, "/cuenta/usuarios?q=%3Cimg+src%3Dx%3E%22"),
            (administrator, "/cuenta/registro-de-cambios?q=%3Cimg+src%3Dx%3E%22"),
            (administrator, "/cuenta/dispositivo?code=%3Cimg+src%3Dx%3E%22"),
            (administrator, "/cuenta/clave?link=%3Cimg+src%3Dx%3E%22"),
            (administrator, "/cuenta/entrar?next=/%22%3E%3Cimg+src%3Dx%3E"),
        ] {
            try await browser.open(path)
            #expect(browser.status == .ok && !browser.html.contains("<img src=x"), "\(path)")
            #expect(!browser.html.contains("<b>1</b>") && !browser.html.contains("style=\""), "\(path)")
        }
        try await bea.open("/cuenta")
        #expect(bea.html.contains("value=\"&lt;img"))
        try await bea.open("/cuenta/dispositivos")
        #expect(bea.html.contains("&lt;b&gt;1&lt;/b&gt;"))
        try await administrator.open("/cuenta/registro-de-cambios?q=token.created")
        #expect(administrator.status == .ok)
    }

    @Test func passkeysAreOfferedToServersWithADomainOnly() async throws {
        let browser = Browser(table)
        try await browser.open("/cuenta/entrar")
        #expect(!browser.html.contains("data-passkey"))
        try await browser.post("/cuenta/entrar/llave/reto", "")
        #expect(browser.status == .notFound)
        #expect(browser.html.hasPrefix("{\"problem\":"))
        var settings = fixture.accounts.settings
        settings.relyingParty = RelyingParty(id: "localhost", name: "Antena", origins: ["http://localhost"])
        fixture.accounts.settings = settings
        try await browser.open("/cuenta/entrar")
        #expect(browser.html.contains("data-passkey=\"get\"") && browser.html.contains("hidden>"))
        try await browser.post("/cuenta/entrar/llave/reto", "")
        #expect(browser.status == .ok && browser.headers[.cacheControl] == "private, no-store")
        try await browser.post("/cuenta/entrar/llave", "id=AA&client=e30&authenticator=!!&signature=")
        #expect(browser.status != .ok && browser.cookie == nil && browser.html.contains("role=\"alert\""))
        try await browser.post("/cuenta/llaves/reto", "")
        #expect(browser.status == .unauthorized, "a stranger makes no passkey")
    }
}
