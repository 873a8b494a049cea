import Accounts
import DatabaseTestSupport
import Features
import Forum
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import HummingbirdTesting
import JSONDocument
import NIOCore
import TestSupport
import Testing

/// The pages of the forum, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ForumPagesTests {
    private let site: ForumSite
    private let (ana, eva, mod): (NewSession, NewSession, NewSession)
    private let category: String

    init() async throws {
        site = try await ForumSite()
        ana = try await site.author("ana")
        eva = try await site.author("eva")
        mod = try await site.author("mod", .moderator)
        category = try await site.category("Cameras")
    }

    private func page(
        _ path: String, by session: NewSession? = nil, language: String = "en"
    ) async throws -> (status: Int, html: String, location: String?) {
        var fields: HTTPFields = [.accept: "text/html", .acceptLanguage: language]
        if let session { fields[.cookie] = "antena_session=\(session.secret.text)" }
        let answer = try await site.send(.get, path, nil, fields)
        return (answer.status.code, String(buffer: answer.body), answer.headers[.location])
    }

    private func submit(
        _ path: String, _ fields: KeyValuePairs<String, String>, by session: NewSession
    ) async throws -> (status: Int, html: String, location: String?) {
        let shown = try await page("/comunidad/foro", by: session).html
        let token = try #require(shown.firstMatch(of: /name="csrf" value="([^"]+)"/)?.1)
        let pairs = (fields.map { ($0.key, $0.value) } + [("csrf", String(token))]).map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        let answer = try await site.send(
            .post, path, pairs.joined(separator: "&"),
            [
                .accept: "text/html", .acceptLanguage: "en", .cookie: "antena_session=\(session.secret.text)",
                .origin: "http://localhost",
            ])
        return (answer.status.code, String(buffer: answer.body), answer.headers[.location])
    }

    @Test func theFormSaysWhatIsWrongAndLinksTheTopicThatExists() async throws {
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        func problem(_ title: String, _ text: String) async throws -> String {
            let answer = try await submit(
                "/comunidad/foro/nuevo", ["title": title, "text": text, "category": category], by: eva)
            #expect(answer.status >= 400)
            return answer.html
        }
        #expect(try await problem(" ", "x").contains("Write a title."))
        #expect(try await problem("abc", "x").contains("needs at least 6 characters"))
        #expect(try await problem("Long enough", " ").contains("Write a comment."))
        let exists = try await problem("WHICH CAMERA?", "my words")
        #expect(exists.contains("A topic with this title exists already"))
        #expect(exists.contains("href=\"/comunidad/foro/tema/\(topic)\"") && exists.contains("my words"))
        let made = try await submit(
            "/comunidad/foro/nuevo", ["title": "Another camera", "text": "x", "category": category], by: eva)
        #expect(made.status == 303 && made.location?.hasPrefix("/comunidad/foro/tema/") == true)
    }

    @Test func listsLinkTheRulesAndShowTopicsToEverybody() async throws {
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        for (path, session) in [("/comunidad/foro", nil), ("/comunidad/foro/categoria/\(category)", eva)] {
            let list = try await page(path, by: session)
            #expect(list.status == 200 && list.html.contains("href=\"/comunidad/foro/normas\""))
            #expect(list.html.contains("/comunidad/foro/tema/\(topic)") && list.html.contains("Which camera?"))
        }
        #expect(try await page("/comunidad/foro", language: "es").html.contains("Últimos temas"))
        #expect(try await page("/comunidad/foro/tema/\(topic)").html.contains("first"))
        #expect(try await page("/comunidad").html.contains("href=\"/comunidad/foro\""))
    }

    @Test func aNewMemberAcceptsTheRulesOnce() async throws {
        let leo = try await site.member("leo")
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        let path = "/comunidad/foro/tema/\(topic)"
        #expect(try await page(path, by: leo).html.contains("name=\"accepts\""))
        let refused = try await submit("\(path)/comentar", ["text": "hello"], by: leo)
        #expect(refused.status == 409 && refused.html.contains("Accept the rules of the forum first."))
        #expect(refused.html.contains("hello"))
        let sent = try await submit("\(path)/comentar", ["text": "hello", "accepts": "1"], by: leo)
        #expect(sent.location == "\(path)#c2")
        #expect(try await !page(path, by: leo).html.contains("name=\"accepts\""))
        #expect(try await page("/comunidad/foro/normas", by: leo).html.contains("You have accepted these rules."))
        #expect(try await page("/comunidad/foro/normas").html.contains("<ol>"))
    }

    @Test func aTopicHasPagesAndACommentLeadsToItsOwn() async throws {
        let topic = try await site.topic("Which camera?", in: category, by: mod)
        var last = ""
        for number in 2...45 {
            let new = try await site.api(.post, "/\(topic)/comments", #"{"text": "text \#(number)"}"#, by: mod)
            last = try #require(new.json?["id"]?.string)
        }
        let path = "/comunidad/foro/tema/\(topic)"
        let first = try await page(path).html
        #expect(first.contains("text 20") && !first.contains("text 21") && first.contains("Page 1 of 3"))
        #expect(try await page("\(path)?pagina=3").html.contains("text 45"))
        #expect(try await page("\(path)?pagina=99999999999999999999").html.contains("text 20"))
        #expect(try await page("/comunidad/foro/comentario/\(last)").location == "\(path)?pagina=3#c45")
    }

    @Test func longCommentsAreFoldedAndShownWhole() async throws {
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        let text = String(repeating: "many words ", count: 1_500) + "the end"
        let body = JSONText.object([("text", .string(text))]).rendered
        let new = try await site.api(.post, "/\(topic)/comments", body, by: eva)
        let id = try #require(new.json?["id"]?.string)
        let list = try await page("/comunidad/foro/tema/\(topic)").html
        #expect(list.contains("<details><summary>many words") && !list.contains("the end"))
        #expect(list.contains("/comunidad/foro/comentario/\(id)/entero"))
        #expect(try await page("/comunidad/foro/comentario/\(id)/entero").html.contains("the end"))
    }

    @Test func quotingWritesTheCommentIntoTheForm() async throws {
        let topic = try await site.topic("Which camera?", "one\ntwo", in: category, by: ana)
        let comments = try await site.api(.get, "/\(topic)/comments", nil).json?["items"]?.elements
        let id = try #require(comments?.first?["id"]?.string)
        let form = try await page("/comunidad/foro/tema/\(topic)?citar=\(id)", by: eva).html
        #expect(form.contains("&gt; #1 @ana\n&gt; one\n&gt; two\n"))
    }

    @Test func editingMarksAndModeratingShows() async throws {
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        let path = "/comunidad/foro/tema/\(topic)"
        let comments = try await site.api(.get, "/\(topic)/comments", nil).json?["items"]?.elements
        let id = try #require(comments?.first?["id"]?.string)
        let edited = try await submit("/comunidad/foro/comentario/\(id)/editar", ["text": "better"], by: ana)
        #expect(edited.location == "\(path)#c1")
        #expect(try await page(path).html.contains("edited"))
        #expect(try await submit("\(path)/editar", ["title": "What camera?"], by: ana).location == path)
        #expect(try await !page(path, by: eva).html.contains("\(path)/moderar"))
        #expect(try await submit("\(path)/moderar", ["locked": "1"], by: mod).status == 303)
        #expect(try await submit("\(path)/moderar", ["locked": "0"], by: eva).status == 403)
        let locked = try await page(path, by: eva).html
        #expect(
            locked.contains("Locked") && locked.contains("This topic is locked.") && locked.contains("What camera?"))
        #expect(try await submit("\(path)/seguir", ["state": "on"], by: eva).location == path)
        #expect(try await page(path, by: eva).html.contains("Back to the usual notifications"))
        let reported = try await submit(
            "/comunidad/foro/comentario/\(id)/denunciar", ["reason": "spam", "text": ""], by: eva)
        #expect(reported.location == "\(path)?hecho=denunciar")
        #expect(try await page("/operator/moderacion", by: mod).html.contains("/comunidad/foro/comentario/\(id)"))
        #expect(try await submit("\(path)/borrar", [:], by: mod).location == "/comunidad/foro/categoria/\(category)")
        #expect(try await page(path).status == 404)
    }

    /// Markup of every kind in every field that strangers see.
    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'onmouseover='alert(1)",
        "<svg/onload=alert(1)>", "{{{f.forum}}}<b>", "</textarea><script>alert(1)</script>",
    ])
    func markupIsShownAsItIsTyped(_ text: String) async throws {
        let category = try await site.api(
            .post, "/categories", JSONText.object([("name", .string("c \(text)")), ("text", .string(text))]).rendered,
            as: TestOperator.authorization)
        let id = try #require(category.json?["id"]?.string)
        let contents = """
            \(text) **\(text)** *\(text)* `\(text)` [\(text)](https://example.org/\(text.filter { $0 != " " }))
            > #1 @\(text)
            > \(text)

            # \(text)
            - \(text)
            1. \(text)
            ```
            \(text)
            ```
            [x](javascript:alert(1)) <https://example.org/"onmouseover="alert(1)>
            """
        let topic = try await site.topic("title \(text)", contents, in: id, by: ana)
        _ = try await site.api(
            .put, "/rules", JSONText.object([("language", .string("en")), ("text", .string(contents))]).rendered,
            as: TestOperator.authorization)
        let comments = try await site.api(.get, "/\(topic)/comments", nil).json?["items"]?.elements
        let comment = try #require(comments?.first?["id"]?.string)
        let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for (path, session) in [
            ("/comunidad/foro", nil), ("/comunidad/foro/categoria/\(id)", eva), ("/comunidad/foro/tema/\(topic)", eva),
            ("/comunidad/foro/tema/\(topic)", mod), ("/comunidad/foro/tema/\(topic)?citar=\(comment)", eva),
            ("/comunidad/foro/tema/\(topic)/editar", ana), ("/comunidad/foro/comentario/\(comment)/editar", ana),
            ("/comunidad/foro/comentario/\(comment)/entero", nil), ("/comunidad/foro/normas", nil),
            ("/comunidad/foro/nuevo", eva), ("/comunidad/foro/nuevo?title=\(query)&category=\(query)", eva),
            ("/comunidad/foro/buscar?q=title", nil), ("/comunidad/foro/buscar?q=\(query)", nil),
        ] as [(String, NewSession?)] {
            let shown = try await page(path, by: session)
            #expect(shown.status == 200, "\(path)")
            let html = shown.html
            for forbidden in ["<script>alert", "<img src=x", "<svg/onload", "href=\"javascript:", "\"onmouseover=\""] {
                #expect(!html.contains(forbidden), "\(path): \(forbidden)")
            }
            #expect(!html.contains(" 'onmouseover='alert(1)\""), "\(path)")
        }
        let shown = try await page("/comunidad/foro/tema/\(topic)").html
        #expect(shown.contains("rel=\"nofollow ugc noopener\""))
    }
}
