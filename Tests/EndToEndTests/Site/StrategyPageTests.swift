import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The strategy board in Chromium.
    @Suite struct StrategyPageTests {
        private typealias Offline = OfflineMatchTests
        private typealias Screen = RefereePageTests.Screen
        private static let page = "/marcador/partidos/estrategia"
        private static let ready = "document.querySelector('.strategy[data-ready]') !== null"
        private static let lines = "document.querySelector('.pad-state').textContent"

        private static func browser(
            _ server: AntenaProcess, _ screen: RefereePageTests.Screen, _ steps: [[String]]
        ) throws -> BackgroundProgram {
            try BrowserTests.drive(
                "\(server.origin)/cuenta/entrar", flags: ["--accept-lang=\(screen.language)"],
                (([screen.steps, Offline.logIn] + steps).flatMap { $0 }))
        }

        /// Draws a line from a place of the court, in shares of its size.
        private static func draw(_ x: Double, _ y: Double, _ way: String = "[[60, 40], [40, -30]]") -> [String] {
            RefereePageTests.gesture(".pad-court", "\"from\": [\(x), \(y)], \"way\": \(way)")
        }

        private static func has(_ count: Int) -> [String] { Offline.wait("\(lines).endsWith(': \(count)')") }

        private static func choose(_ name: String, _ value: String) -> [String] {
            RefereePageTests.gesture("[data-choice=\(name)][value='\(value)']")
        }

        private static func key(_ key: String) -> [String] {
            [
                "--eval",
                "document.querySelector('[data-choice=tool]').dispatchEvent("
                    + "new KeyboardEvent('keydown', { key: '\(key)', bubbles: true })); 1",
            ]
        }

        private static func save(_ name: String) -> [String] {
            [
                "--eval",
                "(() => { const field = document.querySelector('.pad-name input'); field.value = '\(name)'; "
                    + "field.form.requestSubmit(); return 1; })()",
            ]
        }

        private static let isNarrow = [
            "--eval",
            "if (document.documentElement.scrollWidth > innerWidth) "
                + "throw new Error(document.documentElement.scrollWidth); 1",
        ]

        /// A condition about the state of the first drawing in the list.
        private static func isDelivered(_ isDelivered: Bool) -> [String] {
            let state = "document.querySelector('.strategy-list li .sub')"
            return Offline.wait(
                "\(state) !== null && /entregar|not delivered/.test(\(state).textContent) === \(!isDelivered)")
        }

        private static let shown = """
            fetch('/api/v1/channels/canalA/strategy').then((answer) => answer.json())
              .then(({ items }) => items[0]?.strokes.length === 3)
            """.replacing("\n", with: " ")

        /// By touch and by keys: lines, eraser, steps back and forth, a name; list and court beside each other on a
        /// tablet and one after the other on a phone; the board of a channel.
        @Test(arguments: [
            RefereePageTests.Screen(language: "es", width: 390, height: 844),
            RefereePageTests.Screen(language: "en", width: 1024, height: 768),
        ])
        func aDrawingIsMadeSavedAndShown(_ screen: RefereePageTests.Screen) async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let isPhone = screen.width < 900
            let pad = "document.querySelector('.pad').getClientRects().length > 0"
            let list = "document.querySelector('.strategy-list').getClientRects().length > 0"
            let name = "<b>Saque</b> 投球 " + String(repeating: "x", count: 60)
            let browser = try Self.browser(
                server, screen,
                [
                    Offline.open(Self.page, until: Self.ready), ["--axe", script], Self.isNarrow,
                    Offline.wait("\(list) && (\(pad)) === \(!isPhone)"),
                    RefereePageTests.gesture(".strategy-new"),
                    Offline.wait("location.search === '?dibujo=draft' && \(pad) && (\(list)) === \(!isPhone)"),
                    ["--axe", script], Self.isNarrow,
                    Self.draw(0.2, 0.2), Self.has(1), Self.choose("color", "#e5383b"), Self.choose("width", "200"),
                    Self.choose("opacity", "50"), Self.draw(0.5, 0.6), Self.has(2),
                    // A finger and a second one are not two lines.
                    Self.key("z"), Self.has(1), Self.key("y"), Self.has(2),
                    Self.choose("tool", "erase"), Self.draw(0.2, 0.2), Self.has(1),
                    RefereePageTests.gesture("[data-pad=undo]"), Self.has(2),
                    Self.key("Delete"), Self.has(0), RefereePageTests.gesture("[data-pad=undo]"), Self.has(2),
                    Self.key("d"), Self.key("2"),
                    Offline.wait("document.querySelector('[data-choice=color]:checked').value === '#111418'"),
                    // What was not saved yet is there after a reload.
                    ["--eval", "new Promise((done) => setTimeout(done, 600))"], Offline.reload,
                    Offline.wait("\(Self.ready) && \(Self.lines).endsWith(': 2')"),
                    Self.save(name), Offline.wait("/^.dibujo=(?!draft)/.test(location.search)"),
                    Self.isDelivered(true),
                    RefereePageTests.gesture("[data-pad=show]"),
                    Offline.wait("document.querySelector('[data-pad=show]').getAttribute('aria-pressed') === 'true'"),
                    Self.draw(0.7, 0.3), Self.has(3), ["--axe", script], Self.isNarrow,
                    // The way back leads to the list on a phone, and from there to the drawing again.
                    ["--eval", "document.querySelector('.strategy-back').click(); 1"],
                    Offline.wait("location.search === '' && \(list)"),
                    ["--eval", "history.back(); 1"],
                    Offline.wait("location.search !== '' && \(Self.lines).endsWith(': 3')"), Offline.wait(Self.shown),
                    Offline.open(
                        "/marcador/canalA", until: "document.querySelectorAll('.strategy-picture svg').length === 1"),
                    Offline.wait(
                        "document.querySelectorAll('.strategy-picture svg > g > g:last-child path').length === 3"),
                    ["--axe", script], Offline.say("the board is open"),
                    // Another device hides it.
                    Offline.wait("document.querySelector('.strategy-shown').hidden"),
                ])
            try await PlayerChangeTests.says("the board is open", browser)
            let hidden = try await server.command(["score", "strategy", "hide", "canalA", "--server", server.origin])
            #expect(hidden.status == 0, "\(hidden.errorOutput)")
            try await BrowserTests.expectSuccess(browser)
        }

        /// A drawing that was made and saved without a network is delivered afterwards.
        @Test func drawingsWorkWithoutANetwork() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let port = server.httpPort
            let screen = RefereePageTests.Screen(language: "en", width: 1024, height: 768)
            let saved = """
                fetch('/api/v1/me/strategies').then((answer) => answer.json())
                  .then(({ items }) => items.map(({ name, strokeCount }) => `${name} ${strokeCount}`).join() === 'Serve 2')
                """.replacing("\n", with: " ")
            let browser = try Self.browser(
                server, screen,
                [
                    Offline.open(Offline.tablet, until: "!document.querySelector('.tablet-ready').hidden"),
                    Offline.wait("navigator.serviceWorker.controller !== null"), Offline.say("the tablet is ready"),
                    Offline.wait("fetch('/healthz').then(() => false, () => true)"),
                    Offline.open(Self.page, until: Self.ready),
                    Self.draw(0.2, 0.2), Self.draw(0.5, 0.6), Self.has(2), Self.save("Serve"),
                    Self.isDelivered(false),
                    Offline.reload, Offline.wait("\(Self.ready) && \(Self.lines).endsWith(': 2')"),
                    Offline.say("the drawing is kept"),
                    Offline.wait("fetch('/healthz').then(() => true, () => false)"),
                    ["--eval", "dispatchEvent(new Event('online')); 1"],
                    Self.isDelivered(true),
                    Offline.wait(saved),
                ])
            try await PlayerChangeTests.says("the tablet is ready", browser)
            try await Offline.stop(server)
            try await PlayerChangeTests.says("the drawing is kept", browser)
            try await server.start(http: port)
            try await BrowserTests.expectSuccess(browser)
        }

        /// Beside a match: the court of its sport, keys that are no points, and the way back.
        @Test func theBoardStandsBesideAMatch() async throws {
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let made = try await Offline.send(
                server, "matches", #"{"channel": "canalA", "rules": "tennis", "sideA": ["Ana"], "sideB": ["Berta"]}"#)
            let id = try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1)
            let screen = RefereePageTests.Screen(language: "es", width: 1024, height: 768)
            let browser = try Self.browser(
                server, screen,
                [
                    Offline.open("/marcador/partidos/\(id)", until: Offline.shows), ["--click", "[data-action=start]"],
                    Offline.press("q"), Offline.wait("\(Offline.points) === '15:0'"),
                    RefereePageTests.gesture("[data-action=strategy]"),
                    Offline.wait("\(Self.ready) && location.search === '?estrategia=1'"),
                    Offline.wait("document.querySelector('[name=court]').value === 'tennis'"),
                    Self.draw(0.2, 0.2), Self.has(1), Self.key("q"), Self.key("z"), Self.has(0), ["--axe", script],
                    Self.isNarrow, Offline.wait("\(Offline.points) === '15:0'"),
                    // Two fingers on the court change no server.
                    RefereePageTests.gesture(".pad-court", "\"fingers\": 2, \"times\": 2"),
                    ["--eval", "new Promise((done) => setTimeout(done, 300))"],
                    ["--eval", "history.back(); 1"], Offline.wait("document.querySelector('.beside').hidden"),
                    Offline.press("q"), Offline.wait("\(Offline.points) === '30:0'"),
                    Offline.wait("document.querySelector('#referee .pending').hidden"),
                ])
            try await BrowserTests.expectSuccess(browser)
            #expect(try await server.items("/api/v1/matches/\(id)/events").count == 3)
        }
    }
}
