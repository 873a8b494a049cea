import Accounts
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Mail
import MediaWorker
import NIOCore
import NIOPosix
import Scoreboard
import Synchronization
import TableDocuments
import TestSupport
import Testing
import Workflows

@testable import Features

/// Results that leave by mail, through a session with a mail server.
@Suite(.timeLimit(.minutes(3)))
struct ResultMailDeliveryTests {
    private struct Printer: DocumentPrinting {
        let content: [UInt8]

        func pdf(_ document: TableDocument) async throws -> [UInt8] { content }
    }

    @Test func theFileArrivesAsItWas() async throws {
        let server = try await ScriptedSMTPServer()
        let queue = MailQueue(
            try SMTPClient(
                address: try SMTPServerAddress(parsing: "smtp://127.0.0.1:\(server.port)"), credential: nil,
                helloName: "tv.example.org", group: MultiThreadedEventLoopGroup.singleton),
            clock: ContinuousClock(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let mails = ResultMails(
            ResultMailQueue(from: try MailAddress("tv@example.org")) { queue.add($0) }, uptime: { .zero })
        // All bytes, and lines that SMTP has to escape.
        let file = Array("%PDF-1.5\r\n.\r\n".utf8) + Array(repeating: Array(UInt8.min...UInt8.max), count: 40).joined()
        let station = try await TestStation {
            $0.parts.add(ResultDocuments(Printer(content: file)))
            $0.parts.add(mails)
        }
        let status = try InMemoryContent.channel("canalA")
        station.content.state.withLock { $0.channels = [status] }
        let id = try await played(station)
        let answer = try await send(
            station, "/api/v1/match-results/mails", #"{"addresses": ["club@example.org"], "ids": ["\#(id)"]}"#)
        #expect(answer == 202)
        async let running: Void = queue.run()
        try await eventually { !server.mails.isEmpty }
        queue.close()
        await running
        let mail = try #require(server.mails.first)
        #expect(mail.contains("To: club@example.org\r\n") && mail.contains("Subject: Antena: "))
        let encoded = try #require(
            mail.firstMatch(
                of: /Content-Type: application\/pdf.*?\r\n\r\n([A-Za-z0-9+\/=\r\n]+)/.dotMatchesNewlines()
                    .matchingSemantics(
                        .unicodeScalar)))
        #expect(Data(base64Encoded: String(encoded.1.replacing("\r\n", with: ""))) == Data(file))
    }

    private func played(_ station: TestStation) async throws -> String {
        let scoreboard = try station.parts.require(Scoreboard.self)
        let match = try await scoreboard.createMatch(
            NewMatch(channel: "canalA", rules: "racquetball3", sides: SidePair([.name("Ana")], [.name("Berta")])))
        let game = Array(repeating: #"{"type": "point", "side": "a"}"#, count: 15).joined(separator: ",")
        let events = #"{"events": [{"type": "start"}, \#(game), {"type": "nextGame"}, \#(game)]}"#
        #expect(try await send(station, "/api/v1/matches/\(match.id.text)/events", events) == 200)
        return match.id.text
    }

    private func send(_ station: TestStation, _ path: String, _ body: String) async throws -> Int {
        let responder = station.table.router().buildResponder()
        return try await Application(responder: responder).test(.router) { client in
            try await client.execute(
                uri: path, method: .post,
                headers: [.authorization: TestOperator.authorization, .contentType: "application/json"],
                body: ByteBuffer(string: body)
            ) { $0.status.code }
        }
    }
}
