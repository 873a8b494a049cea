import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// Matches that a tablet keeps without a network, in Chromium.
    @Suite struct OfflineMatchTests {
        static let tablet = "/marcador/partidos/tableta"

        /// The error of the tablet's clock in milliseconds: it is behind by half a minute.
        private static let clockError = -30_000

        /// A browser whose clock is wrong, and which tells the right time to the test.
        private static let wrongClock = """
            (() => { const now = Date.now.bind(Date); const origin = performance.timeOrigin; window.antenaNow = now;
            Date.now = () => now() + \(clockError);
            Object.defineProperty(performance, 'timeOrigin', { value: origin + \(clockError) }); })()
            """.replacing("\n", with: " ")

        static func call(_ method: String, _ parameters: String) -> [String] {
            ["--call", "\(method)=\(parameters)"]
        }

        private static func quoted(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }

        static func open(_ path: String, until condition: String) -> [String] {
            [
                "--eval", "location.href = '\(path)'; 1", "--wait",
                "document.readyState === 'complete' && location.pathname === '\(path)' && \(condition)",
            ]
        }

        static let logIn = [
            "--eval",
            "document.querySelector('[name=username]').value = 'eva'; "
                + "document.querySelector('[name=password]').value = 'correct horse battery'; 1",
            "--click", "form[action=\"/cuenta/entrar\"] button",
            "--wait", "document.readyState === 'complete' && location.pathname === '/'",
        ]

        /// Presses keys as a referee does, with the pause after which the same one counts again.
        static func press(_ keys: String) -> [String] {
            [
                "--eval",
                """
                (async () => { for (const key of '\(keys)') {
                  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                  await new Promise((done) => setTimeout(done, 400)); } return 1; })()
                """,
            ]
        }

        static let shows = "document.querySelector('#referee[data-shown]') !== null"

        /// Both numbers of the page, such as "3:1".
        static let points =
            "[...document.querySelectorAll('#referee .points')].map((element) => element.textContent).join(':')"

        static func wait(_ condition: String) -> [String] { ["--wait", condition] }

        /// The events in the browser's store.
        static let stored = """
            new Promise((done, fail) => { const open = indexedDB.open('antena-score'); open.onerror = fail;
            open.onsuccess = () => { const all = open.result.transaction('events').objectStore('events').getAll();
            all.onsuccess = () => { open.result.close(); done(all.result); }; }; })
            """.replacing("\n", with: " ")

        private static func date(_ value: Any?) throws -> Date {
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return try format.parse(try #require(value as? String))
        }

        static let reload = [
            "--eval", "window.antenaMark = 'old'; location.reload(); 1",
            "--wait", "window.antenaMark === undefined && document.readyState === 'complete'",
        ]

        static func say(_ word: String) -> [String] { ["--say", word] }

        static func stop(_ server: AntenaProcess) async throws {
            server.signal(SIGTERM)
            _ = try await server.waitForExit(within: 30)
        }

        /// What a match needs to be set up in the form of the tablet.
        static let setUp = [
            "--wait", "!document.querySelector('.new-match').hidden",
            "--eval",
            """
            (() => { const form = document.querySelector('.new-match'); const put = (name, value) => {
              form.elements[name].value = value; }; put('channel', 'canalA'); put('rules', 'racquetball3');
              put('a1', 'Ana Núñez'); put('b1', 'Berta'); put('firstServer', ''); put('competition', 'Open');
              form.requestSubmit(); return 1; })()
            """,
            "--wait", shows,
        ]

        static func send(_ server: AntenaProcess, _ path: String, _ body: String) async throws -> String {
            let reply = try await server.request(
                "/api/v1/\(path)", method: "POST", headers: ["Content-Type": "application/json"], body: body)
            try #require((200..<300).contains(reply.status), "\(reply.text)")
            return reply.text
        }

        static func player(_ server: AntenaProcess) async throws {
            _ = try await send(
                server, "players",
                #"{"firstName": "Ana", "lastName": "Núñez", "gender": "female", "country": "ES", "birthDate": "1999-04-30"}"#
            )
        }

        static func browser(_ server: AntenaProcess, _ steps: [[String]]) throws -> BackgroundProgram {
            try BackgroundProgram(
                "python3",
                [
                    BrowserTests.support("drive-chromium.py"), "\(server.origin)/cuenta/entrar", "--seconds", "60",
                    "--show-log",
                ]
                    + steps.flatMap { $0 })
        }

        /// Set-up, match and result without a server, with reloads, on a tablet whose clock is wrong.
        @Test func aMatchIsKeptWithoutANetworkAndDeliveredAfterwards() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            try await Self.player(server)
            let port = server.httpPort
            let script = #"{"source": \#(try Self.quoted(Self.wrongClock))}"#
            let browser = try Self.browser(
                server,
                [
                    Self.logIn, Self.call("Page.addScriptToEvaluateOnNewDocument", script),
                    Self.open(Self.tablet, until: "!document.querySelector('.tablet-ready').hidden"),
                    Self.wait("navigator.serviceWorker.controller !== null"),
                    Self.say("the tablet is ready"),
                    Self.wait("fetch('/healthz').then(() => false, () => true)"),
                    // The page of a new match is that of the tablet now.
                    Self.open("/marcador/partidos/nuevo", until: "document.querySelector('.new-match') !== null"),
                    Self.setUp,
                    Self.wait("!!document.querySelector('#referee .people .flag[alt=Spain]')?.naturalWidth"),
                    ["--click", "[data-action=start]"],
                    Self.wait("document.querySelector('#referee').dataset.phase === 'playing'"),
                    ["--eval", "sessionStorage.firstTap = antenaNow(); 1"],
                    Self.press("qqp"), Self.wait("\(Self.points) === '2:1'"),
                    // An event is in the store before the score changes.
                    [
                        "--eval",
                        "\(Self.stored).then((all) => { if (all.length !== 4) throw new Error(all.length); return 1; })",
                    ],
                    Self.reload, Self.wait("\(Self.shows) && \(Self.points) === '2:1'"),
                    // A tap by mistake, taken back after another reload.
                    Self.press("p"), Self.wait("\(Self.points) === '2:2'"),
                    Self.open("/marcador", until: "document.querySelector('.kept a') !== null"),
                    ["--click", ".kept a"], Self.wait("\(Self.shows) && \(Self.points) === '2:2'"),
                    Self.press("u"), Self.wait("\(Self.points) === '2:1'"),
                    Self.press(String(repeating: "q", count: 13)),
                    Self.wait("document.querySelector('#referee').dataset.phase === 'gameOver'"),
                    Self.press("n" + String(repeating: "q", count: 15)),
                    Self.wait("document.querySelector('#referee').dataset.phase === 'finished'"),
                    // The result is shown, and says that it is on the tablet.
                    Self.wait("document.querySelector('.finish .score').textContent === '15-1, 15-0'"),
                    ["--click", "[data-action=stay]"],
                    Self.wait("/35/.test(document.querySelector('#referee .pending').textContent)"),
                    Self.say("the match is over"),
                    Self.wait("document.querySelector('#referee .pending').hidden"),
                    Self.reload, Self.wait(Self.shows),
                    Self.wait("\(Self.stored).then((all) => all.length === 0)"),
                    ["--eval", "Number(sessionStorage.firstTap)"],
                ])
            try await PlayerChangeTests.says("the tablet is ready", browser)
            try await Self.stop(server)
            try await PlayerChangeTests.says("the match is over", browser)
            try await server.start(http: port)
            try await BrowserTests.expectSuccess(browser)
            let matches = try await server.items("/api/v1/matches")
            let match = try #require(matches.first)
            #expect(
                matches.count == 1 && match["score"] as? String == "15-1, 15-0" && match["winner"] as? String == "a")
            #expect(match["countriesA"] as? [String] == ["ES"], "the player that the tablet knew")
            let id = try #require(match["id"] as? String)
            let board = try await server.request("/api/v1/matches/\(id)").json
            let seed = try #require(board["drawSeed"] as? String)
            let sum = seed.reduce(0) { $0 + ($1.hexDigitValue ?? 0) }
            let beginning = try await server.items("/api/v1/matches/\(id)/timeline").first
            let sides = try #require(beginning?["sides"] as? [[String: Any]])
            #expect(sides[sum % 2]["serving"] as? Int == 0, "the tablet has drawn by \(seed)")
            let events = try await server.items("/api/v1/matches/\(id)/events")
            #expect(events.count == 35, "each event once")
            #expect(events.count { $0["counts"] as? Bool == false } == 1, "the one that was taken back")
            let told = try #require(browser.output.split(separator: "\n").last { $0.contains("firstTap") })
            let tap = try #require(told.firstMatch(of: #/"value": ([0-9.]+)/#)).1
            let time = try Self.date(events[1]["time"])
            let error = time.timeIntervalSince1970 * 1_000 - (Double(tap) ?? 0)
            #expect(abs(error) < 300, "the time of the tap by the server's clock, \(error) ms off")
        }

        /// One of two tablets has no network: nothing is lost, and what has become impossible is shown.
        @Test func twoTabletsKeepOneMatch() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let made = try await Self.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"], "firstServer": "a1"}"#
            )
            let id = try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1)
            let lead = Array(repeating: #"{"type": "point", "side": "a"}"#, count: 14).joined(separator: ", ")
            _ = try await Self.send(server, "matches/\(id)/events", #"{"events": [{"type": "start"}, \#(lead)]}"#)
            let conditions = #"{"offline": OFFLINE, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}"#
            let browser = try Self.browser(
                server,
                [
                    Self.logIn,
                    Self.open("/marcador/partidos/\(id)", until: "\(Self.shows) && \(Self.points) === '14:0'"),
                    Self.wait("document.querySelector('#referee .message').textContent === ''"),
                    Self.call("Network.enable", "{}"),
                    Self.call("Network.emulateNetworkConditions", conditions.replacing("OFFLINE", with: "true")),
                    Self.say("the tablet is cut off"),
                    // The game ends on the tablet, and the next one begins; one tap is taken back.
                    Self.press("qnpppu"), Self.wait("\(Self.points) === '0:2'"),
                    Self.say("the tablet has played on"),
                    Self.wait("fetch('/healthz').then(() => false, () => true)"),
                    Self.say("wait for the other tablet"),
                    ["--eval", "new Promise((done) => setTimeout(done, 3000))"],
                    Self.call("Network.emulateNetworkConditions", conditions.replacing("OFFLINE", with: "false")),
                    Self.wait("document.querySelector('#referee .pending').hidden"),
                    Self.wait("!document.querySelector('#referee .conflicts').hidden"),
                    ["--eval", "document.querySelector('#referee .conflicts p').textContent"],
                    Self.wait("\(Self.points) === '0:2'"),
                    Self.wait("document.querySelector('.half .past').textContent === '15'"),
                ])
            try await PlayerChangeTests.says("the tablet has played on", browser)
            // The other tablet has seen the same point and has entered it, and a note.
            _ = try await Self.send(
                server, "matches/\(id)/events",
                #"{"events": [{"type": "point", "side": "a"}, {"type": "note", "text": "rain"}]}"#)
            try await BrowserTests.expectSuccess(browser)
            #expect(browser.output.contains("18: "), "the conflict is named by its entry")
            let events = try await server.items("/api/v1/matches/\(id)/events")
            let types = events.dropFirst(15).compactMap { ($0["event"] as? [String: Any])?["type"] as? String }
            #expect(types == ["point", "note", "point", "nextGame", "point", "point", "point", "amend"])
            let amended = events.compactMap { ($0["event"] as? [String: Any])?["sequence"] as? Int }
            #expect(amended == [22], "what is undone is the tablet's own point")
            let board = try await server.request("/api/v1/matches/\(id)").json
            let conflicts = board["conflicts"] as? [[String: Any]]
            #expect(conflicts?.map { $0["sequence"] as? Int } == [18])
            #expect(conflicts?.map { $0["reason"] as? String } == ["gameIsOver"])
        }

        /// The answers to a match and to its events were lost, and the tablet sends both again.
        @Test func aRepeatedDeliveryCountsOnce() async throws {
            let server = try await AntenaProcess.serving()
            let match =
                #"{"channel": "canalA", "rules": "racquetball3", "sideA": ["Ana"], "sideB": ["Berta"], "firstServer": "b1", "drawn": true}"#
            let events =
                #"{"keepConflicts": true, "events": [{"type": "start", "id": "1"}, {"type": "point", "side": "a", "id": "2"}, {"type": "amend", "of": "2", "event": null, "id": "3"}]}"#
            let headers = ["Content-Type": "application/json", "Idempotency-Key": "tablet-1"]
            var made: Set<String> = []
            for _ in 0..<2 {
                let reply = try await server.request("/api/v1/matches", method: "POST", headers: headers, body: match)
                #expect(reply.status == 201, "\(reply.text)")
                let id = try #require(try reply.json["match"] as? String)
                made.insert(id)
                _ = try await Self.send(server, "matches/\(id)/events", events)
            }
            let id = try #require(made.first)
            let matches = try await server.items("/api/v1/matches")
            #expect(made.count == 1 && matches.count == 1)
            #expect(try await server.items("/api/v1/matches/\(id)/events").count == 3)
            #expect(try await server.request("/api/v1/matches/\(id)").json["drawn"] as? Bool == true)
        }

        /// From an address without encryption, in two languages.
        @Test(arguments: [("en", "makes a certificate"), ("es", "crea un certificado")])
        func withoutHTTPSThePageSaysWhatIsMissing(language: String, words: String) async throws {
            let server = try await AntenaProcess.serving()
            let notice = "document.querySelector('[data-needs-https]')"
            let browser = try BrowserTests.drive(
                "http://tablet.example:\(server.httpPort)\(Self.tablet)",
                flags: ["--host-resolver-rules=MAP tablet.example 127.0.0.1", "--accept-lang=\(language)"],
                Self.wait("!window.isSecureContext && !\(notice).hidden && \(notice).textContent.includes('make cert')")
                    + Self.wait("\(notice).textContent.includes('\(words)')"))
            try await BrowserTests.expectSuccess(browser)
        }

        /// A session that has ended keeps the events, which can be saved as a file and are delivered after a log-in.
        @Test func eventsWaitForALogIn() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let made = try await Self.send(
                server, "matches",
                #"{"channel": "canalA", "rules": "volleyball", "sideA": ["Norte"], "sideB": ["Sur"]}"#)
            let id = try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1)
            let browser = try Self.browser(
                server,
                [
                    Self.logIn, Self.open("/marcador/partidos/\(id)", until: Self.shows),
                    Self.call("Network.enable", "{}"), Self.call("Network.clearBrowserCookies", "{}"),
                    ["--click", "[data-action=start]"], Self.press("q"),
                    Self.wait(
                        "document.querySelector('#referee .message').textContent.startsWith('You are logged out')"),
                    Self.wait("\(Self.points) === '1:0'"),
                    [
                        "--eval",
                        """
                        (async () => { let saved; const make = URL.createObjectURL.bind(URL);
                          URL.createObjectURL = (file) => { saved = file; return make(file); };
                          document.querySelector('[data-action=save]').click();
                          const { events } = JSON.parse(await saved.text());
                          const types = events.map(({ event }) => event.type).join();
                          if (types !== 'start,point' || !saved.name.includes('\(id)')) throw new Error(types + saved.name);
                          return 1; })()
                        """,
                        "--eval",
                        """
                        fetch('/api/v1/session', { method: 'POST', headers: { 'Content-Type': 'application/json' },
                          body: JSON.stringify({ username: 'eva', password: 'correct horse battery' }) }).then(({ status }) => status)
                        """,
                    ],
                    Self.wait("document.querySelector('#referee .pending').hidden"),
                    Self.wait("document.querySelector('#referee .message').textContent === ''"),
                ])
            try await BrowserTests.expectSuccess(browser)
            let events = try await server.items("/api/v1/matches/\(id)/events")
            #expect(events.compactMap { ($0["event"] as? [String: Any])?["type"] as? String } == ["start", "point"])
        }
    }
}
