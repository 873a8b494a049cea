import Accounts
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import MediaCore
import Messaging
import TestSupport
import Testing

/// The pages of contacts and messages, without a script.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct MessagingPageTests {
    private let site: MessagingSite
    private let (ana, eva): (NewSession, NewSession)
    private static let form = "application/x-www-form-urlencoded"

    init() async throws {
        site = try await MessagingSite()
        (ana, eva) = (try await site.session("ana"), try await site.session("eva"))
    }

    private func get(_ path: String, by session: NewSession) async throws -> MessagingSite.Answer {
        try await site.send(.get, path, by: session)
    }

    private func post(
        _ path: String, _ fields: String = "", by session: NewSession
    ) async throws -> MessagingSite.Answer {
        try await site.send(
            .post, path, "csrf=\(CSRFToken.text(for: session.secret))&\(fields)", by: session,
            type: Self.form)
    }

    private func conversation() async throws -> String {
        try await site.connect(ana, eva)
        let made = try await site.send(.post, "/api/v1/me/conversations", #"{"with": "eva"}"#, by: ana)
        return made.string("id")
    }

    @Test func aMemberInvitesAndTheOtherAcceptsOnPages() async throws {
        let page = try await get("/comunidad/mensajes/invitar/eva", by: ana)
        #expect(page.status == 200 && page.text.contains("<textarea"))
        #expect(try await post("/comunidad/mensajes/invitar/eva", "text=Hola", by: ana).status == 303)
        let waiting = try await site.send(.get, "/api/v1/me/contact-invitations", by: eva).items
        let path = waiting.first?["page"]?.string ?? ""
        let invitation = try await get(path, by: eva)
        #expect(invitation.text.contains("Hola") && invitation.text.contains("value=\"accept\""))
        #expect(!invitation.text.contains("@"), "no address is shown")
        #expect(try await post(path, "do=accept", by: eva).status == 303)
        #expect(try await get("/comunidad/mensajes/contactos", by: ana).text.contains(">eva<"))
        #expect(try await post("/comunidad/mensajes/contactos/eva/chat", by: ana).status == 303)
        #expect(try await post("/comunidad/mensajes/contactos/eva/quitar", by: ana).status == 303)
        #expect(try await !get("/comunidad/mensajes/contactos", by: ana).text.contains(">eva<"))
    }

    @Test func twoTalkWithoutAScript() async throws {
        let path = "/comunidad/mensajes/c/\(try await conversation())"
        #expect(try await post(path, "id=one&text=Buenas+tardes", by: ana).status == 303)
        #expect(try await post(path, "id=one&text=Buenas+tardes", by: ana).status == 303, "sent twice")
        let shown = try await get(path, by: eva).text
        #expect(shown.components(separatedBy: "Buenas tardes").count == 2, "stored once")
        #expect(try await get("/comunidad/mensajes", by: eva).text.contains("Buenas tardes"))
        #expect(
            try await get("/comunidad/mensajes/buscar?q=buenas", by: eva).text.contains("Buenas tardes"))
        #expect(try await post("\(path)/mensaje/1", "for=everybody", by: ana).status == 303)
        #expect(try await !get(path, by: eva).text.contains("Buenas tardes"))
        #expect(try await post("\(path)/borrar", by: eva).status == 303)
        #expect(try await post("/comunidad/mensajes/borrar", by: ana).status == 303)
    }

    @Test func groupsAreMadeAndLeftOnPages() async throws {
        _ = try await conversation()
        #expect(try await get("/comunidad/mensajes/grupos", by: ana).text.contains("value=\"eva\""))
        #expect(
            try await post("/comunidad/mensajes/grupos", "name=Final&member=eva", by: ana).status == 303)
        let group = try await site.send(.get, "/api/v1/me/conversations", by: eva).items.first
        let path = "/comunidad/mensajes/c/\(group?["id"]?.string ?? "")"
        #expect(try await get("/comunidad/mensajes/chats", by: eva).text.contains("Final"))
        #expect(try await get("\(path)/info", by: ana).text.contains("\(path)/miembros/eva"))
        #expect(try await post("\(path)/nombre", "name=Semifinal", by: ana).status == 303)
        #expect(try await get("\(path)/info", by: eva).text.contains("Semifinal"))
        #expect(try await post("\(path)/silenciar", "on=1", by: eva).status == 303)
        #expect(try await post("\(path)/miembros/eva", "do=role", by: ana).status == 303)
        #expect(try await post("\(path)/miembros/ana", "do=remove", by: ana).status == 303)
        #expect(try await get(path, by: ana).status == 404)
        #expect(try await post("\(path)/eliminar", by: eva).status == 303)
    }

    @Test func settingsAreKept() async throws {
        #expect(try await post("/comunidad/mensajes/ajustes", "marks=1", by: ana).status == 303)
        let chosen = try await site.send(.get, "/api/v1/me/contact-settings", by: ana).json
        #expect(chosen?["sharesPresence"]?.boolean == false && chosen?["sendsMarks"]?.boolean == true)
    }

    /// Whatever members write, browsers show it and do not run it.
    @Test(arguments: [
        "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "'><svg/onload=alert(1)>",
        "{{{own}}}<b>", "</textarea><script>alert(1)</script>", "</template><script>alert(1)</script>",
    ])
    func markupIsShownAndNotRun(_ text: String) async throws {
        let encoded = text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }.joined()
        let leo = try await site.session("leo")
        #expect(
            try await post("/comunidad/mensajes/invitar/leo", "text=\(encoded)", by: ana).status == 303)
        let invitations = try await site.send(.get, "/api/v1/me/contact-invitations", by: leo).items
        let path = "/comunidad/mensajes/c/\(try await conversation())"
        #expect(try await post(path, "id=one&text=\(encoded)", by: ana).status == 303)
        #expect(
            try await post("/comunidad/mensajes/grupos", "name=\(encoded)&member=eva", by: ana).status
                == 303)
        let group = try await site.send(.get, "/api/v1/me/conversations", by: eva).items.first
        let groupPath = "/comunidad/mensajes/c/\(group?["id"]?.string ?? "")"
        #expect(group?["name"]?.string == text)
        let pages: [(String, NewSession)] = [
            (invitations.first?["page"]?.string ?? "", leo), (path, eva), (groupPath, eva),
            ("\(groupPath)/info", ana),
            ("/comunidad/mensajes", eva), ("/comunidad/mensajes/chats", eva),
            ("/comunidad/mensajes/buscar?q=alert", eva),
            ("/comunidad/mensajes/contactos?q=\(encoded)", eva),
            ("/comunidad/mensajes/personas?q=\(encoded.replacing("%40", with: ""))", eva),
        ]
        for (path, session) in pages {
            let answer = try await get(path, by: session)
            #expect(answer.status == 200, "\(path)")
            for danger in ["<script>alert", "<img src=x", "<svg/onload", "<b>"] {
                #expect(!answer.text.contains(danger), "\(path) has \(danger)")
            }
        }
    }
}
