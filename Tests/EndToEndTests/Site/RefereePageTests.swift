import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The page on which a referee keeps the score, in Chromium.
    @Suite struct RefereePageTests {
        private typealias Offline = OfflineMatchTests

        /// A screen that is touched.
        struct Screen: Sendable, CustomTestStringConvertible {
            var language: String
            var width: Int
            var height: Int

            var testDescription: String { "\(language), \(width) × \(height)" }

            /// The steps that make a browser's window such a screen.
            var steps: [String] {
                let size = "\"width\": \(width), \"height\": \(height), \"deviceScaleFactor\": 1, \"mobile\": true"
                return [
                    "--call", "Emulation.setDeviceMetricsOverride={\(size)}",
                    "--call", "Emulation.setTouchEmulationEnabled={\"enabled\": true, \"maxTouchPoints\": 5}",
                ]
            }

            static let all = [
                Screen(language: "es", width: 390, height: 844), Screen(language: "en", width: 390, height: 844),
                Screen(language: "es", width: 1024, height: 768), Screen(language: "en", width: 768, height: 1024),
            ]
        }

        static func gesture(_ selector: String, _ more: String = "") -> [String] {
            ["--gesture", "{\"on\": \"\(selector)\"\(more.isEmpty ? "" : ", ")\(more)}"]
        }

        private static func isWide() -> [String] {
            [
                "--eval",
                "if (document.documentElement.scrollWidth > innerWidth) "
                    + "throw new Error(`${document.documentElement.scrollWidth} is wider than ${innerWidth}`); 1",
            ]
        }

        private static let names =
            #""sideA": ["Ana <b>Núñez</b>"], "sideB": ["Μαρία Παπαδοπούλου-Κωνσταντινίδου 山田花子"]"#

        private static func match(_ server: AntenaProcess) async throws -> String {
            let made = try await Offline.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "racquetball3", \#(names), "firstServer": "a1"}"#)
            return try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1).description
        }

        private static func browser(
            _ server: AntenaProcess, _ screen: Screen, _ steps: [[String]]
        ) throws -> BackgroundProgram {
            try BrowserTests.drive(
                "\(server.origin)/cuenta/entrar", flags: ["--accept-lang=\(screen.language)"],
                (([screen.steps, Offline.logIn] + steps).flatMap { $0 }))
        }

        /// The pause after which the same action counts again.
        private static let pause = ["--eval", "new Promise((done) => setTimeout(done, 450))"]

        /// Swipes, double taps of two fingers and long presses count; plain taps and accidental repeats do not.
        @Test(arguments: Screen.all) func touchKeepsTheScore(_ screen: Screen) async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let id = try await Self.match(server)
            let (number, other) = ("[data-side=a] .points", "[data-side=b] .points")
            let count = { (kind: String) in
                "document.querySelector('[data-side=a] [data-count=\(kind)] b').textContent"
            }
            let serves = "document.querySelector('.half.serves').dataset.side"
            let points = { (text: String) in Offline.wait("\(Offline.points) === '\(text)'") }
            let browser = try Self.browser(
                server, screen,
                [
                    Offline.open("/marcador/partidos/\(id)", until: Offline.shows),
                    ["--wait", "document.documentElement.lang === '\(screen.language)'", "--axe", script],
                    Self.isWide(), Self.gesture("[data-action=start]"),
                    Offline.wait("document.querySelector('#referee').dataset.phase === 'playing'"),
                    Self.gesture(number, "\"way\": [[0, -90]]"), points("1:0"),
                    Self.gesture(other, "\"way\": [[0, -90]]"), points("1:1"), Self.pause,
                    // A finger that goes across, one that hardly moves, and a plain tap are no points.
                    Self.gesture(number, "\"way\": [[60, -20]]"), Self.gesture(number, "\"way\": [[0, -15]]"),
                    Self.gesture(number), Self.pause, points("1:1"),
                    Self.gesture(number, "\"way\": [[0, -90]]"), points("2:1"), Self.pause,
                    Self.gesture(number, "\"way\": [[0, 90]]"), points("1:1"),
                    // Twice at once is once.
                    Self.gesture(number, "\"way\": [[0, -90]], \"times\": 2, \"pause\": 0.03"), Self.pause,
                    points("2:1"),
                    Self.gesture("[data-side=b] [data-give=point]", "\"times\": 2, \"pause\": 0.03"), Self.pause,
                    points("2:2"),
                    // Two fingers: once is nothing, twice changes the server, anywhere.
                    Offline.wait("\(serves) === 'a'"), Self.gesture(number, "\"fingers\": 2"), Self.pause, Self.pause,
                    Offline.wait("\(serves) === 'a'"), Self.gesture(number, "\"fingers\": 2, \"times\": 2"),
                    Offline.wait("\(serves) === 'b'"), points("2:2"),
                    // A long press uses an appeal, and a short one does not.
                    Offline.wait("\(count("appeal")) === '3'"),
                    Self.gesture("[data-side=a] [data-count=appeal]", "\"hold\": 0.3"), Self.pause,
                    Offline.wait("\(count("appeal")) === '3'"),
                    Self.gesture("[data-side=a] [data-count=appeal]", "\"hold\": 1.3"),
                    Offline.wait("\(count("appeal")) === '2'"),
                    Self.gesture("[data-side=a] [data-count=timeOut]", "\"hold\": 1.3"),
                    Offline.wait("\(count("timeOut")) === '1'"),
                    Offline.wait("document.querySelector('#referee').dataset.phase === 'timeOut'"),
                    // A tap for a point is a setting. What follows a long press at once is the same finger.
                    Self.pause, ["--eval", "document.querySelector('[name=tap]').click(); 1"], Self.gesture(number),
                    points("3:2"),
                    Offline.wait("document.querySelector('#referee .pending').hidden"),
                    ["--axe", script], Self.isWide(),
                ])
            try await BrowserTests.expectSuccess(browser)
            let events = try await server.items("/api/v1/matches/\(id)/events")
            let types = events.compactMap { ($0["event"] as? [String: Any])?["type"] as? String }
            #expect(
                types == [
                    "start", "point", "point", "point", "correct", "point", "point", "changeServer", "appeal",
                    "timeOut",
                    "point",
                ])
        }

        /// Games and the match are announced by sound and voice, the result is shown and saved, and the menu follows.
        @Test func theEndOfAMatchIsAnnouncedAndLeadsToTheMenu() async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let id = try await Self.match(server)
            let lead = Array(repeating: #"{"type": "point", "side": "a"}"#, count: 14).joined(separator: ", ")
            _ = try await Offline.send(server, "matches/\(id)/events", #"{"events": [{"type": "start"}, \#(lead)]}"#)
            let enter = { (events: String) in
                """
                fetch('/api/v1/matches/\(id)/events', { method: 'POST', body: JSON.stringify({ events: [\(events)] }),
                  headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': document.body.dataset.csrf } })
                  .then(({ status }) => { if (status !== 200) throw new Error(status); return 1; })
                """
            }
            let listen = """
                window.antenaSounds = []; window.antenaTexts = [];
                document.addEventListener('antena:sound', ({ detail }) => antenaSounds.push(detail));
                speechSynthesis.speak = ({ text, lang }) => antenaTexts.push(`${lang} ${text}`); 1
                """.replacing("\n", with: " ")
            let screen = Screen(language: "es", width: 1024, height: 768)
            let browser = try Self.browser(
                server, screen,
                [
                    Offline.open("/marcador/partidos/\(id)", until: "\(Offline.shows) && \(Offline.points) === '14:0'"),
                    ["--eval", listen, "--eval", "document.querySelector('[name=speech]').click(); 1"],
                    Offline.press("q"),
                    Offline.wait("antenaSounds.join() === '2' && antenaTexts[0]?.startsWith('es Fin del juego')"),
                    ["--eval", "document.querySelector('[name=sound]').click(); 1"],
                    Offline.wait("document.querySelector('#referee .pending').hidden"),
                    ["--eval", enter("{\"type\": \"nextGame\"}, \(lead)")],
                    Offline.wait("\(Offline.points) === '14:0'"), Offline.press("q"),
                    Offline.wait("antenaTexts[1]?.startsWith('es Gana ') && antenaSounds.length === 1"),
                    Offline.wait("document.querySelector('.finish .score').textContent === '15-0, 15-0'"),
                    Offline.wait(
                        "document.querySelector('.finish .saved').textContent === 'El resultado está guardado.'"),
                    ["--axe", script], Self.isWide(),
                    // A mistake is mended from there, and the match ends again.
                    ["--click", ".finish [data-action=undo]"], Offline.wait("document.querySelector('.finish').hidden"),
                    Self.pause, Offline.press("q"), Offline.wait("!document.querySelector('.finish').hidden"),
                    Offline.wait("location.pathname === '/marcador' && document.readyState === 'complete'"),
                    Offline.wait("document.querySelector('.results .score').textContent === '15-0, 15-0'"),
                ])
            try await BrowserTests.expectSuccess(browser)
        }

        /// Abandoning asks first.
        @Test func aMatchIsAbandonedAfterAQuestion() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let id = try await Self.match(server)
            let ask = { (answer: Bool) in
                [
                    "--eval",
                    "window.confirm = (text) => { window.antenaAsked = text; return \(answer); }; "
                        + "document.querySelector('[data-action=abandon]').click(); 1",
                ]
            }
            let browser = try Self.browser(
                server, Screen(language: "en", width: 390, height: 844),
                [
                    Offline.open("/marcador/partidos/\(id)", until: Offline.shows),
                    ["--click", "[data-action=start]"],
                    Offline.wait("document.querySelector('#referee').dataset.phase === 'playing'"), ask(false),
                    Offline.wait("window.antenaAsked.includes('no result')"), Self.pause,
                    Offline.wait("document.querySelector('#referee').dataset.phase === 'playing'"), ask(true),
                    Offline.wait("document.querySelector('.finish .saved').textContent.includes('without a result')"),
                    ["--click", "[data-action=stay]"], Self.pause,
                    Offline.wait("document.querySelector('#referee .pending').hidden"),
                ])
            try await BrowserTests.expectSuccess(browser)
            #expect(try await server.items("/api/v1/matches?show=results").isEmpty)
            #expect(try await server.items("/api/v1/matches").first?["phase"] as? String == "abandoned")
        }

        /// Two referees with a network enter the same point: the second one is asked.
        @Test func aTapThatLosesARaceAsks() async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let id = try await Self.match(server)
            _ = try await Offline.send(server, "matches/\(id)/events", #"{"events": [{"type": "start"}]}"#)
            // The other one is a moment earlier.
            let race = """
                (async () => { const answer = await fetch('/api/v1/matches/\(id)/events', { method: 'POST',
                  headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': document.body.dataset.csrf },
                  body: JSON.stringify({ events: [{ type: 'point', side: 'b' }] }) });
                  document.querySelector('[data-side=b] [data-give=point]').click(); return answer.status; })()
                """.replacing("\n", with: " ")
            let asks = Offline.wait("document.querySelector('.race').hidden === false")
            let browser = try Self.browser(
                server, Screen(language: "es", width: 390, height: 844),
                [
                    Offline.open("/marcador/partidos/\(id)", until: Offline.shows),
                    Offline.wait("document.querySelector('#referee .message').textContent === ''"),
                    ["--eval", race], asks,
                    Offline.wait("document.querySelector('.race .theirs').textContent.startsWith('Punto: ')"),
                    Offline.wait("document.querySelector('.race .own').textContent.startsWith('Punto: ')"),
                    ["--axe", script], Self.isWide(), ["--click", "[data-action=leaveOut]"],
                    Offline.wait("document.querySelector('.race').hidden && \(Offline.points) === '0:1'"), Self.pause,
                    ["--eval", race], asks, ["--click", "[data-action=enter]"],
                    Offline.wait("\(Offline.points) === '0:3' && document.querySelector('#referee .pending').hidden"),
                ])
            try await BrowserTests.expectSuccess(browser)
            #expect(try await server.items("/api/v1/matches/\(id)/events").count == 4)
        }
    }
}
