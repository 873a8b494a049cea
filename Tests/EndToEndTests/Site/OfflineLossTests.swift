import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What happens on the server while a tablet has no network does not delete the tablet's log.
    @Suite struct OfflineLossTests {
        private typealias Offline = OfflineMatchTests

        private static func network(_ isThere: Bool) -> [String] {
            Offline.call(
                "Network.emulateNetworkConditions",
                "{\"offline\": \(!isThere), \"latency\": 0, \"downloadThroughput\": -1, \"uploadThroughput\": -1}")
        }

        /// The file that the page saves has these events.
        private static func save(_ types: String) -> [String] {
            [
                "--eval",
                """
                (async () => { let saved; const make = URL.createObjectURL.bind(URL);
                  URL.createObjectURL = (file) => { saved = file; return make(file); };
                  document.querySelector('[data-action=save], .kept button').click();
                  const { events } = JSON.parse(await saved.text());
                  const found = events.map(({ event }) => event.type).join();
                  if (found !== '\(types)') throw new Error(found);
                  return 1; })()
                """,
            ]
        }

        private static func message(_ beginning: String) -> [String] {
            Offline.wait("document.querySelector('#referee .message').textContent.startsWith('\(beginning)')")
        }

        private static func match(_ server: AntenaProcess) async throws -> String {
            let made = try await Offline.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "volleyball", "sideA": ["Norte"], "sideB": ["Sur"]}"#)
            return try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1).description
        }

        private static func run(_ server: AntenaProcess, _ arguments: String...) async throws {
            let result = try await server.command(arguments + ["--server", server.origin])
            #expect(result.status == 0, "\(result.errorOutput)")
        }

        @Test func aRevokedPermissionKeepsTheLogAndDeliversItOnceItIsBack() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "member", server)
            try await Self.run(server, "user", "grant", "eva", "canalA", "read", "score")
            let id = try await Self.match(server)
            let browser = try Offline.browser(
                server,
                [
                    Offline.logIn, Offline.open("/marcador/partidos/\(id)", until: Offline.shows),
                    Offline.call("Network.enable", "{}"), Self.network(false),
                    ["--click", "[data-action=start]"], Offline.press("qp"),
                    Offline.wait("\(Offline.points) === '1:1'"), Offline.say("the permission goes"),
                    ["--eval", "new Promise((done) => setTimeout(done, 4000))"], Self.network(true),
                    Self.message("Your account may not keep"), Self.save("start,point,point"),
                    Offline.wait("\(Offline.points) === '1:1'"), Offline.say("the permission is wanted"),
                    Offline.wait("document.querySelector('#referee .pending').hidden"),
                    Offline.wait("document.querySelector('#referee .message').textContent === ''"),
                ])
            try await PlayerChangeTests.says("the permission goes", browser)
            try await Self.run(server, "user", "grant", "eva", "canalA")
            try await PlayerChangeTests.says("the permission is wanted", browser)
            #expect(try await server.items("/api/v1/matches/\(id)/events").isEmpty)
            try await Self.run(server, "user", "grant", "eva", "canalA", "read", "score")
            try await BrowserTests.expectSuccess(browser)
            #expect(try await server.items("/api/v1/matches/\(id)/events").count == 3)
        }

        @Test func aDeletedMatchStaysOnTheTablet() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let id = try await Self.match(server)
            let browser = try Offline.browser(
                server,
                [
                    Offline.logIn, Offline.open("/marcador/partidos/\(id)", until: Offline.shows),
                    Offline.call("Network.enable", "{}"), Self.network(false),
                    ["--click", "[data-action=start]"], Offline.press("qp"),
                    Offline.wait("\(Offline.points) === '1:1'"), Offline.say("the match goes"),
                    ["--eval", "new Promise((done) => setTimeout(done, 4000))"], Self.network(true),
                    Self.message("The server no longer has this match"), Self.save("start,point,point"),
                    Offline.wait("\(Offline.points) === '1:1'"),
                    Offline.open(Offline.tablet, until: "document.querySelector('.kept a') !== null"),
                    Offline.wait("document.querySelector('.message').textContent.startsWith('The server no longer')"),
                    Self.save("start,point,point"),
                    Offline.wait("\(Offline.stored).then((all) => all.length === 3)"),
                ])
            try await PlayerChangeTests.says("the match goes", browser)
            try await Self.run(server, "score", "delete", id)
            try await BrowserTests.expectSuccess(browser)
        }

        /// A match that was set up with a player who was deleted before it was delivered has the name.
        @Test func aDeletedPlayerKeepsTheirNameInAMatch() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            try await Offline.player(server)
            let player = try #require(try await server.items("/api/v1/players").first?["id"] as? String)
            let browser = try Offline.browser(
                server,
                [
                    Offline.logIn,
                    Offline.open(Offline.tablet, until: "!document.querySelector('.tablet-ready').hidden"),
                    Offline.call("Network.enable", "{}"), Self.network(false), Offline.setUp,
                    ["--click", "[data-action=start]"], Offline.press("q"),
                    Offline.wait("\(Offline.points) === '1:0'"), Offline.say("the player goes"),
                    ["--eval", "new Promise((done) => setTimeout(done, 4000))"], Self.save("start,point"),
                    Self.network(true), Offline.wait("document.querySelector('#referee .pending').hidden"),
                    Offline.wait("document.querySelector('.half .name').textContent === 'Ana Núñez'"),
                ])
            try await PlayerChangeTests.says("the player goes", browser)
            try await Self.run(server, "score", "player", "delete", player)
            try await BrowserTests.expectSuccess(browser)
            let match = try #require(try await server.items("/api/v1/matches").first)
            #expect(match["sideA"] as? [String] == ["Ana Núñez"])
            let id = try #require(match["id"] as? String)
            #expect(try await server.items("/api/v1/matches/\(id)/events").count == 2)
        }
    }
}
