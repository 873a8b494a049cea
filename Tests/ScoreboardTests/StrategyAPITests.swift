import Accounts
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Scoreboard

/// Drawings over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct StrategyAPITests {
    private let site: ScoreSite

    init() async throws { site = try await ScoreSite() }

    private var station: TestStation { site.station }
    private var channel: String { site.channel }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields
    ) async throws -> ScoreSite.Answer {
        try await site.send(method, path, body, type: "application/json", fields)
    }

    private func member(_ name: String, _ role: Role = .operator) async throws -> HTTPFields {
        [.authorization: "Bearer \(try await station.fixture.session(name, role).secret.text)"]
    }

    private static let own = "/api/v1/me/strategies"
    private static func stroke(_ points: String = "0, 0, 16000, 10000") -> String {
        ##"{"color": "#ff0000", "width": 60, "opacity": 50, "points": [\##(points)]}"##
    }
    private static func drawing(_ name: String = "Saque", _ strokes: String = stroke()) -> String {
        #"{"name": "\#(name)", "court": "tennis", "strokes": [\#(strokes)]}"#
    }

    private static func list(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    @Test func aDrawingIsSavedChangedAndDeleted() async throws {
        let eva = try await member("eva")
        let made = try await send(.post, Self.own, Self.drawing("<b>Saque</b>"), eva)
        let id = try #require(made.json?["id"]?.string, "\(made.text)")
        #expect(made.status == 201 && made.json?["strokes"]?.elements?.first?["opacity"]?.integer == 50)
        let path = "\(Self.own)/\(id)"
        #expect(try await send(.patch, path, #"{"name": "Resto"}"#, eva).status == 428)
        var fields = eva
        fields[.ifMatch] = made.tag
        let changed = try await send(.patch, path, #"{"strokes": []}"#, fields)
        #expect(changed.status == 200 && changed.json?["strokes"]?.elements?.isEmpty == true)
        #expect(changed.json?["name"]?.string == "<b>Saque</b>" && changed.json?["court"]?.string == "tennis")
        #expect(try await send(.patch, path, #"{"name": "Resto"}"#, fields).status == 412, "it was changed meanwhile")
        let listed = try await send(.get, Self.own, nil, eva)
        #expect(listed.json?["items"]?.elements?.map { $0["strokeCount"]?.integer } == [0])
        #expect(try await send(.delete, path, nil, eva).status == 204)
        #expect(try await send(.get, path, nil, eva).status == 404)
    }

    /// Drawings belong to a member, who keeps the score of a channel.
    @Test func nobodySeesDrawingsOfOthers() async throws {
        let (eva, ana) = (try await member("eva"), try await member("ana"))
        let id = try #require(try await send(.post, Self.own, Self.drawing(), eva).json?["id"]?.string)
        for method in [HTTPRequest.Method.get, .delete] {
            #expect(try await send(method, "\(Self.own)/\(id)", nil, ana).status == 404)
        }
        var fields = ana
        fields[.ifMatch] = "*"
        #expect(try await send(.patch, "\(Self.own)/\(id)", "{}", fields).status == 404)
        #expect(try await send(.get, Self.own, nil, ana).json?["items"]?.elements?.isEmpty == true)
        #expect(try await send(.post, Self.own, Self.drawing(), try await member("bea", .member)).status == 403)
        #expect(try await send(.get, Self.own, nil, [:]).status == 401)
    }

    @Test func drawingsAreListedPageByPageAndLimited() async throws {
        let eva = try await member("eva")
        for number in 0..<Strategy.maximumCount {
            #expect(try await send(.post, Self.own, Self.drawing("\(number)", ""), eva).status == 201)
        }
        let refused = try await send(.post, Self.own, Self.drawing(), eva)
        #expect(refused.status == 409 && refused.text.contains("too-many"))
        let first = try await send(.get, "\(Self.own)?limit=60", nil, eva)
        let next = try #require(first.json?["next"]?.string)
        let second = try await send(.get, "\(Self.own)?limit=60&cursor=\(next)", nil, eva)
        let names = [first, second].flatMap { $0.json?["items"]?.elements?.compactMap { $0["name"]?.string } ?? [] }
        #expect(names == (0..<Strategy.maximumCount).reversed().map { "\($0)" })
    }

    @Test(arguments: [
        #"{"court": "tennis"}"#, drawing(String(repeating: "x", count: 81)), drawing("  "),
        #"{"name": "A", "court": "chess"}"#, #"{"name": "A", "strokes": [7]}"#, drawing("A", stroke("1")),
        drawing("A", stroke("")), drawing("A", stroke("0, 10001")), drawing("A", stroke("-1, 0")),
        drawing("A", stroke("0.5, 0")), drawing("A", stroke(#""0", 0"#)),
        drawing("A", ##"{"color": "red", "width": 60, "opacity": 50, "points": [0, 0]}"##),
        drawing("A", ##"{"color": "#ff0000", "width": 9, "opacity": 50, "points": [0, 0]}"##),
        drawing("A", ##"{"color": "#ff0000", "width": 60, "opacity": 101, "points": [0, 0]}"##),
        drawing("A", ##"{"color": "#ff0000", "width": 60, "opacity": 50, "points": [0, 0], "script": 1}"##),
        drawing("A", list(stroke("1, 1"), StrategyDrawing.maximumStrokeCount + 1)),
        drawing("A", stroke(list("1, 1", StrategyStroke.maximumPointCount + 1))),
    ])
    func whatIsNoDrawingIsRefused(body: String) async throws {
        #expect(try await send(.post, Self.own, body, try await member("eva")).status == 422)
    }

    /// Each line is within its limits, and the drawing is not.
    @Test func aDrawingHasALimitOfBytes() async throws {
        let many = Self.drawing("A", Self.list(Self.stroke(Self.list("16000, 10000", 400)), 30))
        let answer = try await send(.post, Self.own, many, try await member("eva"))
        #expect([413, 422].contains(answer.status), "\(answer.text)")
    }

    // MARK: The board of a channel

    private var display: String { "/api/v1/channels/\(channel)/strategy" }

    @Test func aRefereeShowsAndHidesADrawing() async throws {
        let eva = try await member("eva")
        func shown() async throws -> [Int?] {
            let items = try await send(.get, display, nil, [:]).json?["items"]?.elements
            return (items ?? []).map { $0["strokes"]?.elements?.count }
        }
        #expect(try await shown().isEmpty)
        let drawing = #"{"court": "football", "strokes": [\#(Self.stroke())]}"#
        for (fields, status) in [([:], 401), (try await member("bea", .member), 403)] {
            #expect(try await send(.put, display, drawing, fields).status == status)
            #expect(try await send(.delete, display, nil, fields).status == status)
        }
        #expect(try await send(.put, display, drawing, eva).status == 204)
        #expect(try await shown() == [1])
        #expect(try await send(.put, display, #"{"strokes": []}"#, eva).status == 204)
        #expect(try await shown() == [0])
        #expect(try await send(.delete, display, nil, eva).status == 204)
        #expect(try await send(.delete, display, nil, eva).status == 204)
        #expect(try await shown().isEmpty)
        #expect(try await send(.put, "/api/v1/channels/nowhere/strategy", drawing, eva).status == 404)
        // A tablet whose battery is empty hides nothing.
        #expect(try await send(.put, display, drawing, eva).status == 204)
        station.fixture.clock.advance(by: Scoreboard.maximumDisplayTime + .seconds(1))
        #expect(try await shown().isEmpty)
    }

    @Test func thePageOfDrawingsIsForEverybody() async throws {
        let page = try await send(.get, "/marcador/partidos/estrategia", nil, [.accept: "text/html"])
        #expect(page.status == 200 && page.text.contains("id=\"strategy\""))
        #expect(page.text.contains("data-channels=\"[]\""))
        #expect(page.text.components(separatedBy: "data-choice=\"color\"").count == 7)
        let spanish = try await send(
            .get, "/marcador/partidos/estrategia", nil, [.accept: "text/html", .acceptLanguage: "es"])
        #expect(spanish.text.contains("Pizarra de estrategia"))
    }
}
