import Accounts
import Database
import DatabaseTestSupport
import Events
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import Mail
import MediaCore
import MediaIntake
import MediaWorker
import NIOCore
import SiteTexts
import Synchronization
import TableDocuments
import TestSupport
import Testing
import Workflows

@testable import Features
@testable import Scoreboard

/// Results as files, on pages and in messages, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ResultTests {
    /// Keeps the documents that it is asked for.
    private final class Printer: DocumentPrinting {
        let documents = Mutex<[TableDocument]>([])
        let failure = Mutex<PDFError?>(nil)

        func pdf(_ document: TableDocument) async throws -> [UInt8] {
            documents.withLock { $0.append(document) }
            if let failure = failure.withLock({ $0 }) { throw failure }
            return Array("%PDF-1.5 a document".utf8)
        }

        var last: TableDocument? { documents.withLock { $0.last } }
    }

    /// Keeps the mails of the server's own queue.
    private final class Outbox: Sendable {
        let drafts = Mutex<[MailDraft]>([])
        let time = Mutex(Duration.zero)

        var count: Int { drafts.withLock { $0.count } }
        var last: MailDraft? { drafts.withLock { $0.last } }

        var mails: ResultMails {
            get throws {
                ResultMails(
                    ResultMailQueue(from: try MailAddress("tv@example.org")) { draft in
                        self.drafts.withLock { $0.append(draft) }
                        return true
                    }, uptime: { self.time.withLock { $0 } })
            }
        }
    }

    private let station: TestStation
    private let responder: GatewayResponder
    private let printer: Printer
    private let outbox: Outbox
    private let scoreboard: Scoreboard

    init() async throws {
        let (printer, outbox) = (Printer(), Outbox())
        let mails = try outbox.mails
        station = try await TestStation {
            $0.parts.add(ResultDocuments(printer))
            $0.parts.add(mails)
        }
        (self.printer, self.outbox) = (printer, outbox)
        responder = station.table.router().buildResponder()
        scoreboard = try station.parts.require(Scoreboard.self)
        let channels = try ["canalA", "canalB"].map { try InMemoryContent.channel($0) }
        station.content.state.withLock { $0.channels = channels }
    }

    private struct Answer {
        var status: Int
        var headers: HTTPFields
        var text: String
        var json: JSONNode? { try? JSONParser.parse(text.utf8) }
    }

    private func get(_ path: String, _ more: HTTPFields = [:]) async throws -> Answer {
        try await Application(responder: responder).test(.router) { client in
            try await client.execute(uri: path, method: .get, headers: more) { answer in
                Answer(status: answer.status.code, headers: answer.headers, text: String(buffer: answer.body))
            }
        }
    }

    private func post(_ path: String, _ body: String, _ more: HTTPFields = Self.machine) async throws -> Answer {
        var headers = more
        headers[.contentType] = "application/json"
        return try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: .post, headers: headers, body: ByteBuffer(string: body)
            ) { answer in
                Answer(status: answer.status.code, headers: answer.headers, text: String(buffer: answer.body))
            }
        }
    }

    private static let machine: HTTPFields = [.authorization: TestOperator.authorization]

    /// Plays a match of two games to 15, which the first side wins.
    @discardableResult private func play(
        _ first: String, _ second: String, channel: String = "canalA", competition: String = "", loserPoints: Int = 0
    ) async throws -> String {
        try await play(
            SidePair([.name(first)], [.name(second)]), channel: channel, competition: competition,
            loserPoints: loserPoints)
    }

    @discardableResult private func play(
        _ sides: SidePair<[NewMatch.Entrant]>, channel: String = "canalA", competition: String = "",
        winner: MatchSide = .a, loserPoints: Int = 0
    ) async throws -> String {
        var new = NewMatch(channel: channel, rules: "racquetball3", sides: sides)
        (new.competition, new.firstServer) = (competition, MatchServer(.a))
        let match = try await scoreboard.createMatch(new)
        var actions: [MatchAction] = [.start]
        for game in 0..<2 {
            if game > 0 { actions.append(.nextGame) }
            actions += Array(repeating: .point(winner.other, count: 1), count: loserPoints)
            actions += Array(repeating: .point(winner, count: 1), count: 15)
        }
        let events = actions.enumerated().map { NewMatchEvent(id: "e\($0.offset)", .action($0.element)) }
        let caller = Caller(.anonymous, RequestOrigin(AddressGroup(nil)))
        _ = try await scoreboard.record(events, in: match.id, expecting: nil, by: caller)
        return match.id.text
    }

    // MARK: PDF

    @Test func resultsAreADocumentInTheLanguageOfTheReader() async throws {
        let first = try await play("Ana Núñez", "王小明", competition: "Open")
        try await play("Carla", "Борис Щукин", competition: "League", loserPoints: 3)
        let answer = try await get("/api/v1/matches?format=pdf", [.acceptLanguage: "es"])
        #expect(answer.status == 200 && answer.text.hasPrefix("%PDF-"))
        #expect(answer.headers[.contentType] == "application/pdf")
        #expect(answer.headers[.contentDisposition]?.contains("results.pdf") == true)
        let all = try #require(printer.last)
        #expect(all.language == "es" && all.lines == ["Resultados", "Todos los resultados"])
        #expect(all.columns.map(\.heading).contains("Competición"))
        #expect(
            all.rows.map { $0[1...3].joined(separator: "|") } == [
                "Carla|Борис Щукин|15-3, 15-3", "Ana Núñez|王小明|15-0, 15-0",
            ])
        _ = try await get("/api/v1/matches?format=pdf&ids=\(first)")
        #expect(printer.last?.rows.count == 1 && printer.last?.lines.last == "1 selected result")
        _ = try await get("/api/v1/matches?format=pdf&competition=League&from=2001-01-01&until=2199-12-31")
        #expect(printer.last?.rows.map { $0[1] } == ["Carla"])
        #expect(printer.last?.lines == ["Results", "Competition: League", "From 2001-01-01", "Until 2199-12-31"])
        _ = try await get("/api/v1/matches?format=pdf&competition=None")
        #expect(printer.last?.rows.isEmpty == true && printer.last?.note.isEmpty == false)
    }

    /// Pages of a hundred are read until all are there.
    @Test func aDocumentHasTheResultsOfAllPages() async throws {
        for number in 0..<3 { try await play("Player \(number)", "Berta") }
        let publishing = ResultPublishing(ResultDocuments(printer)) { "Club" }
        let all = try await scoreboard.matches().items
        let content = publishing.content(lines: [], .of(.english))
        _ = try await publishing.pdf(content, for: .operators) { cursor in
            let page = cursor.flatMap(Int.init) ?? 0
            return ([all[page]], page < 2 ? "\(page + 1)" : nil)
        }
        #expect(printer.last?.rows.map { $0[1] } == ["Player 2", "Player 1", "Player 0"])
        #expect(printer.last?.title == "Club" && printer.last?.note == "")
        let many = Array(repeating: all[0], count: 4_000)
        _ = try await publishing.pdf(content, for: .operators) { _ in (many, "more") }
        #expect(printer.last?.rows.count == ResultDocuments.maximumCount)
        #expect(printer.last?.note.contains("10,000") == true)
    }

    @Test func missingLibrariesAreSaidWithTheirPackages() async throws {
        printer.failure.withLock { $0 = PDFError(.librariesMissing, "cannot load x; apt-get install libcairo2") }
        let answer = try await get("/api/v1/matches?format=pdf")
        #expect(answer.status == 503)
        #expect(answer.json?["detail"]?.string?.contains("apt-get install libcairo2") == true)
    }

    @Test(arguments: ["from=yesterday", "until=2026-13-01", "from="]) func whatIsNoDayIsRefused(
        _ query: String
    ) async throws {
        #expect(try await get("/api/v1/matches?\(query)").status == 422)
    }

    @Test func daysAreThoseOnWhichMatchesEnded() async throws {
        try await play("Ana", "Berta")
        let day = scoreboard.today
        let before = CivilDate(daysSince1970: day.daysSince1970 - 1)
        func count(_ query: String) async throws -> Int? {
            try await get("/api/v1/matches?\(query)").json?["items"]?.elements?.count
        }
        #expect(try await count("from=\(day)&until=\(day)") == 1)
        #expect(try await count("until=\(before)") == 0)
        #expect(try await count("from=\(CivilDate(daysSince1970: day.daysSince1970 + 1))") == 0)
    }

    // MARK: Mail

    private static let mailPath = "/api/v1/match-results/mails"

    private func mail(_ addresses: String..., more: String = "") async throws -> Answer {
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ", ")
        return try await post(Self.mailPath, "{\"addresses\": [\(list)]\(more)}")
    }

    @Test func resultsAreSentInTheLanguageOfTheSender() async throws {
        try await play("Ana Núñez", "Berta", competition: "Open")
        try await play("Carla", "Dora", competition: "League")
        let body = #"{"addresses": ["club@example.org", "Club@example.org", "eva@example.org"], "competition": "Open"}"#
        let answer = try await post(
            Self.mailPath, body, [.authorization: TestOperator.authorization, .acceptLanguage: "es"])
        #expect(answer.status == 202 && answer.json?["count"]?.integer == 2)
        #expect(printer.last?.rows.map { $0[1] } == ["Ana Núñez"])
        let drafts = outbox.drafts.withLock { $0 }
        try #require(drafts.count == 2)
        for (draft, address) in zip(drafts, ["club@example.org", "eva@example.org"]) {
            let mail = try #require(try await draft())
            #expect(mail.to.text == address && mail.subject == "Antena: resultados" && mail.language == "es")
            #expect(mail.text.contains("1 resultado") && mail.text.hasSuffix("\n"))
            #expect(mail.attachment?.name == "results.pdf" && mail.attachment?.mediaType == "application/pdf")
            #expect(mail.attachment?.bytes.starts(with: "%PDF-".utf8) == true)
        }
        #expect(try await mail("ana@example.org").json?["count"]?.integer == 1)
        let english = try #require(try await outbox.last?())
        #expect(english.subject == "Antena: results" && english.text.contains("2 results"))
    }

    @Test(arguments: [
        "nobody", "a@b\\r\\nBcc: x@example.org", "a@example.org, b@example.org", "a@example.org\\n", "",
        "<a@example.org>", "\\u0000@example.org",
    ])
    func whatIsNoAddressIsRefusedAndNothingIsSent(_ address: String) async throws {
        try await play("Ana", "Berta")
        let answer = try await mail("good@example.org", address)
        #expect(answer.status == 422, "\(answer.text)")
        #expect(outbox.count == 0 && printer.last == nil)
    }

    @Test func mailsAreLimited() async throws {
        try await play("Ana", "Berta")
        let list = (0..<11).map { "\"a\($0)@example.org\"" }.joined(separator: ", ")
        #expect(try await post(Self.mailPath, "{\"addresses\": [\(list)]}").status == 422)
        #expect(try await post(Self.mailPath, #"{"addresses": []}"#).status == 422)
        #expect(try await post(Self.mailPath, "{}").status == 422)
        for _ in 0..<ResultMails.maximumRecipientCount {
            #expect(try await mail("same@example.org").status == 202)
        }
        let refused = try await mail("other@example.org", "SAME@example.org")
        #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
        // None of a refused request counts.
        for number in 0..<(ResultMails.maximumSenderCount - ResultMails.maximumRecipientCount) {
            #expect(try await mail("b\(number)@example.org").status == 202)
        }
        #expect(try await mail("last@example.org").status == 429)
        #expect(outbox.count == ResultMails.maximumSenderCount)
        outbox.time.withLock { $0 += .seconds(3_601) }
        #expect(try await mail("last@example.org").status == 202)
    }

    @Test func onlyRefereesSendResults() async throws {
        try await play("Ana", "Berta")
        let body = #"{"addresses": ["club@example.org"]}"#
        #expect(try await post(Self.mailPath, body, [:]).status == 401)
        #expect(outbox.count == 0)
        #expect(try await mail("club@example.org", more: #", "competition": "None""#).status == 409)
        #expect(try await mail("club@example.org", more: #", "player": "x""#).status == 422)
        #expect(try await mail("club@example.org", more: #", "from": "x""#).status == 422)
        #expect(try await mail("club@example.org", more: #", "from": null, "ids": null"#).status == 202)
    }

    @Test func aServerWithoutMailSaysSo() async throws {
        try await play("Ana", "Berta")
        let publishing = ResultPublishing(ResultDocuments(printer)) { "Club" }
        let mailing = ResultPublishing.Mailing(
            addresses: ["a@example.org"], senderName: "ana", sender: .operators)
        await #expect(throws: Refusal.self) {
            try await publishing.mail(publishing.content(lines: [], .of(.english)), mailing) { _ in ([], nil) }
        }
    }

    // MARK: Activity

    /// What a federation's program reads: each change with the score, in order, from where it stopped.
    @Test func changesOfAllMatchesAreAFeed() async throws {
        let journal = try station.parts.require(EventJournal.self)
        let path = "/api/v1/match-results/changes"
        #expect(try await get(path).json?["items"]?.elements?.isEmpty == true)
        let id = try await play("Ana", "Berta", competition: "Open", loserPoints: 2)
        await journal.flush()
        let feed = try await get(path)
        let items = try #require(feed.json?["items"]?.elements)
        #expect(items.map { $0["phase"]?.string } == ["ready", "finished"])
        let result = items.last
        #expect(result?["match"]?.string == id && result?["winner"]?.string == "a")
        #expect(result?["score"]?.string == "15-2, 15-2" && result?["competition"]?.string == "Open")
        #expect(result?["sideA"]?.elements?.first?.string == "Ana")
        #expect(result?["won"]?.elements?.map(\.integer) == [2, 0])
        let last = try #require(feed.json?["last"]?.string)
        #expect(try await get("\(path)?after=\(last)").json?["items"]?.elements?.isEmpty == true)
        try await play("Carla", "Dora", channel: "canalB")
        await journal.flush()
        let more = try await get("\(path)?after=\(last)").json
        #expect(more?["items"]?.elements?.count == 2 && more?["missed"]?.boolean == false)
        // Those of a channel that the reader may not see are left out, and are not asked for again.
        station.fixture.accounts.audiences = AudienceRules(channels: ["canalB": .members])
        let hidden = try await get("\(path)?after=\(last)").json
        #expect(hidden?["items"]?.elements?.isEmpty == true && hidden?["last"]?.string == more?["last"]?.string)
        #expect(try await get("\(path)?after=\(last)", Self.machine).json?["items"]?.elements?.count == 2)
        let replaced = try await get("\(path)?after=999999999").json
        #expect(replaced?["missed"]?.boolean == true && replaced?["last"]?.string == more?["last"]?.string)
        #expect(try await get("\(path)?after=x").status == 422)
    }

    /// While a decision is under review, the feed says no more than the board.
    @Test func aFrozenBoardTellsNoPoints() async throws {
        let journal = try station.parts.require(EventJournal.self)
        let match = try await scoreboard.createMatch(
            NewMatch(channel: "canalA", rules: "racquetball3", sides: SidePair([.name("Ana")], [.name("Berta")])))
        let caller = Caller(.anonymous, RequestOrigin(AddressGroup(nil)))
        let actions: [MatchAction] = [.start, .point(.a, count: 1), .freeze, .point(.b, count: 1)]
        for (index, action) in actions.enumerated() {
            _ = try await scoreboard.record(
                [NewMatchEvent(id: "e\(index)", .action(action))], in: match.id, expecting: nil, by: caller)
        }
        await journal.flush()
        let items = try await get("/api/v1/match-results/changes").json?["items"]?.elements
        #expect(items?.map { $0["points"]?.elements?.map(\.integer) } == [[0, 0], [0, 0], [1, 0], [1, 0], [1, 0]])
    }

    // MARK: Statistics

    private func player(_ first: String, _ last: String) async throws -> ScorePlayer {
        var data = Scoreboard.PlayerData()
        (data.firstName, data.lastName, data.gender, data.country) = (first, last, .female, "ES")
        data.birthDate = CivilDate(year: 1999, month: 4, day: 30)
        return try #require(try await scoreboard.createPlayers([data]).first)
    }

    private func counts(_ node: JSONNode?) -> [Int] {
        ["matches", "won", "lost", "drawn", "gamesWon", "gamesLost", "pointsFor", "pointsAgainst"]
            .compactMap { node?[$0]?.integer }
    }

    @Test func statisticsCountTheResultsOfAPlayer() async throws {
        let (ana, berta, carla) = (
            try await player("Ana", "Núñez"), try await player("Berta", "Ortiz"), try await player("Carla", "Ruiz")
        )
        try await play(SidePair([.player(ana.id)], [.player(berta.id)]), loserPoints: 3)
        try await play(SidePair([.player(berta.id)], [.player(ana.id)]), loserPoints: 5)
        try await play(SidePair([.player(carla.id)], [.player(ana.id)]), channel: "canalB", winner: .b)
        // A match that has not ended does not count.
        _ = try await scoreboard.createMatch(
            NewMatch(
                channel: "canalA", rules: "racquetball3", sides: SidePair([.player(ana.id)], [.player(carla.id)])))
        let path = "/api/v1/players/\(ana.id.text)/statistics"
        let all = try await get(path).json
        #expect(all?["name"]?.string == "Ana Núñez" && all?["against"]?.string == nil)
        #expect(counts(all?["total"]) == [3, 2, 1, 0, 4, 2, 70, 36])
        #expect(all?["rules"]?.elements?.map { $0["rules"]?.string } == ["racquetball3"])
        let rival = try await get("\(path)?against=\(berta.id.text)").json
        #expect(counts(rival?["total"]) == [2, 1, 1, 0, 2, 2, 40, 36])
        #expect(rival?["againstName"]?.string == "Berta Ortiz")
        let page = try await get("/marcador/partidos/estadisticas/\(ana.id.text)?rival=Berta+Ortiz")
        #expect(page.status == 200 && page.text.contains("40–36") && page.text.contains("Against Berta Ortiz"))
        // Matches of a channel that the reader may not see do not count.
        station.fixture.accounts.audiences = AudienceRules(channels: ["canalB": .members])
        #expect(counts(try await get(path).json?["total"]).first == 2)
        #expect(try await get("/api/v1/players/\(OpaqueID().text)/statistics").status == 404)
        #expect(try await get("\(path)?against=nobody").status == 404)
    }

    /// The migration counts what earlier versions have stored, like the program counts it now.
    @Test func storedMatchesAreCounted() throws {
        let ended = [SidePair(15, 10), SidePair(9, 15), SidePair(11, 7)]
        let tally = MatchTally(ended, hasPeriods: false)
        #expect(tally.games == SidePair(2, 1) && tally.points == SidePair(35, 32))
        #expect(MatchTally(scoreText: "15-10, 9-15, 11-7", winner: .a, hasPeriods: false) == tally)
        let other = MatchTally(scoreText: "15-10, 9-15, 11-7", winner: .b, hasPeriods: false)
        #expect(other.games == SidePair(1, 2) && other.points == SidePair(32, 35))
        #expect(MatchTally(scoreText: "80-77", winner: .b, hasPeriods: true).games == SidePair(0, 0))
        for damaged in ["", "x", "1-", "1-2-3, 4"] {
            #expect(MatchTally(scoreText: damaged, winner: .a, hasPeriods: false).points == SidePair(0, 0))
        }
    }

    @Test func aThousandMatchesAreCounted() async throws {
        let (ana, berta) = (try await player("Ana", "Núñez"), try await player("Berta", "Ortiz"))
        let first = try await play(SidePair([.player(ana.id)], [.player(berta.id)]), loserPoints: 3)
        try await scoreboard.database.write(durability: .onDisk, within: SQLTimeLimit.maintenance) { db in
            let copies =
                "WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < 999) SELECT 'copy' || n"
            try db.execute(
                """
                INSERT INTO scoreMatch(id, channel, rules, setup, phase, lastSequence, winner, score, createdAt,
                    startedAt, endedAt, ruleName, gamesA, gamesB, pointsA, pointsB)
                \(copies), channel, rules, setup, phase, lastSequence, winner, score, createdAt, startedAt, endedAt,
                    ruleName, gamesA, gamesB, pointsA, pointsB
                FROM copy, scoreMatch WHERE id = ?1
                """, .text(first))
            try db.execute(
                """
                INSERT INTO scoreEntrant(match, side, position, player, person)
                \(copies), side, position, player, person FROM copy, scoreEntrant WHERE match = ?1
                """, .text(first))
        }
        for query in ["", "?against=\(berta.id.text)"] {
            let json = try await get("/api/v1/players/\(ana.id.text)/statistics\(query)").json
            #expect(counts(json?["total"]) == [1_000, 1_000, 0, 0, 2_000, 0, 30_000, 6_000])
        }
    }

    // MARK: Pages

    @Test func resultsHaveAPageWithFilesAndAMenu() async throws {
        let id = try await play("Ana <b>Núñez</b>", "Berta", competition: "Open & Co")
        try await play("Carla", "Dora", competition: "League")
        let page = try await get("/marcador/partidos/resultados?competition=Open+%26+Co")
        #expect(page.status == 200 && page.text.contains("Ana &lt;b&gt;Núñez&lt;/b&gt;"))
        #expect(!page.text.contains("<b>Núñez") && !page.text.contains("Carla"))
        #expect(
            page.text.contains("/api/v1/matches?format&#x3D;pdf&amp;competition&#x3D;Open%20%26%20Co")
                || page.text.contains("/api/v1/matches?format=pdf&amp;competition=Open%20%26%20Co"))
        let one = try await get("/marcador/partidos/\(id)/resultado", [.acceptLanguage: "es"])
        #expect(one.status == 200 && one.text.contains("15-0, 15-0") && one.text.contains("Compartir"))
        #expect(one.text.contains("data-text=\"Ana &lt;b&gt;Núñez&lt;/b&gt; – Berta 15-0, 15-0 (Open &amp; Co)\""))
        #expect(try await get("/marcador/partidos/resultados?player=Nobody").text.contains("results-table") == false)
    }

    /// Who still wants to watch gets both sides in the order of the match, and the result when asking for it.
    @Test func resultsAreHiddenFromWhoeverWantsIt() async throws {
        let id = try await play(SidePair([.name("Ana")], [.name("Berta")]), winner: .b)
        let body = "results=hidden&next=/marcador"
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let chosen = try await Application(responder: responder).test(.router) { client in
            try await client.execute(
                uri: "/marcador/partidos/resultados/ocultar", method: .post, headers: form,
                body: ByteBuffer(string: body)
            ) { answer in (answer.status.code, answer.headers[.location], answer.headers[.setCookie] ?? "") }
        }
        #expect(chosen.0 == 303 && chosen.1 == "/marcador" && chosen.2.hasPrefix("antena_results=hidden; "))
        for path in ["/marcador", "/marcador/partidos/resultados", "/marcador/partidos/\(id)/resultado"] {
            let told = try await get(path).text
            #expect(told.contains("15-0, 15-0") && !told.contains("spoiler"), "\(path)")
            let hidden = try await get(path, [.cookie: "a=b; antena_results=hidden"]).text
            #expect(hidden.contains("<strong>Berta</strong>") || hidden.contains(#"<p class="winner">Berta"#))
            let outside = hidden.replacing(/<details class="spoiler">.*?<\/details>/.dotMatchesNewlines(), with: "")
            #expect(!outside.contains("15-0") && !outside.contains("<strong>Berta"), "\(path)")
            let (first, second) = (outside.firstRange(of: "Ana"), outside.firstRange(of: "Berta"))
            #expect(try #require(first).lowerBound < #require(second).lowerBound, "\(path)")
        }
    }

    /// On a tablet, the list and one of the results stand side by side.
    @Test func aResultIsShownBesideTheList() async throws {
        let (first, second) = (try await play("Ana", "Berta"), try await play("Clara", "Dora"))
        let path = "/marcador/partidos/resultados"
        let list = try await get("\(path)?competition=").text
        #expect(list.contains("\(path)?resultado=\(first)") && !list.contains("result-detail"))
        let beside = try await get("\(path)?resultado=\(second)").text
        let detail = try #require(beside.firstMatch(of: /<aside class="result-detail".*<\/aside>/.dotMatchesNewlines()))
        #expect(detail.0.contains("Clara") && detail.0.contains("15-0, 15-0") && !detail.0.contains("Ana"))
        #expect(beside.matches(of: /aria-current="true"/).count == 1 && beside.contains(#"<a href="\#(path)">"#))
        for unknown in ["x", OpaqueID().text] {
            let page = try await get("\(path)?resultado=\(unknown)")
            #expect(page.status == 200 && !page.text.contains("result-detail"))
        }
    }

    @Test func aMatchWithoutAResultHasNoPage() async throws {
        let open = try await scoreboard.createMatch(
            NewMatch(channel: "canalA", rules: "racquetball3", sides: SidePair([.name("Ana")], [.name("Berta")])))
        #expect(try await get("/marcador/partidos/\(open.id.text)/resultado").status == 404)
        #expect(try await get("/marcador/partidos/\(OpaqueID().text)/resultado").status == 404)
    }
}

/// The text of a result in a message.
struct ShareTextTests {
    private func match(_ first: [String], _ second: [String], competition: String = "") -> MatchSummary {
        MatchSummary(
            id: OpaqueID(), number: 1, channel: "canalA", rules: "racquetball3", phase: .finished, winner: .b,
            scoreText: "15-10, 9-15, 11-7", names: SidePair(first, second), countries: SidePair([], []),
            competition: competition, createdAt: WallClockTime(secondsSince1970: 0))
    }

    @Test func theWinnerComesFirst() {
        #expect(
            match(["Ana"], ["Berta", "Carla"], competition: "Open").shareText()
                == "Berta / Carla – Ana 15-10, 9-15, 11-7 (Open)")
    }

    @Test func theCompetitionIsLeftOutBeforeNamesAreShortened() {
        let text = match(["Ana"], ["Berta"], competition: String(repeating: "c", count: 120)).shareText()
        #expect(text == "Berta – Ana 15-10, 9-15, 11-7")
    }

    @Test(arguments: [
        String(repeating: "n", count: 120), String(repeating: "👩‍👩‍👧‍👦", count: 60),
        String(repeating: "e\u{301}", count: 100), String(repeating: "王", count: 120),
    ])
    func longNamesAreShortenedBetweenCharacters(_ name: String) {
        for (first, second) in [(name, name), (name, "Ana"), ("Ana", name)] {
            let text = match([first], [second]).shareText()
            #expect(text.utf16.count <= 140, "\(text)")
            #expect(text.hasSuffix(" 15-10, 9-15, 11-7") && text.contains("…") && text.contains(" – "))
            let allowed = Set(name + "Ana – 15-10, 9-15, 11-7…")
            #expect(text.allSatisfy(allowed.contains), "\(text)")
            if first == "Ana" || second == "Ana" { #expect(text.contains("Ana")) }
        }
    }
}
