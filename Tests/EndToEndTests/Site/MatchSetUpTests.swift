import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The page on which a match is set up, and the photo of a player, in Chromium.
    @Suite struct MatchSetUpTests {
        private static let logIn = [
            "--eval",
            "document.querySelector('[name=username]').value = 'eva'; "
                + "document.querySelector('[name=password]').value = 'correct horse battery'; 1",
            "--click", "form[action=\"/cuenta/entrar\"] button",
            "--wait", "document.readyState === 'complete' && location.pathname === '/'",
        ]

        private static func open(_ path: String, until condition: String) -> [String] {
            [
                "--eval", "location.href = '\(path)'; 1", "--wait",
                "document.readyState === 'complete' && location.pathname === '\(path)' && !!(\(condition))",
            ]
        }

        /// Types into a field, as a person does.
        private static func type(_ name: String, _ text: String) -> [String] {
            [
                "--eval",
                """
                (() => { const field = document.querySelector('[name=\(name)]'); field.value = '\(text)';
                  field.dispatchEvent(new InputEvent('input', { bubbles: true })); return 1; })()
                """,
            ]
        }

        private static func fails(unless condition: String) -> [String] {
            [
                "--eval",
                """
                (() => { if (!(\(condition))) throw new Error(document.querySelector('main').innerText); return 1; })()
                """,
            ]
        }

        private static let drawn = "document.querySelector('[data-drawn]').textContent"
        private static let seed = "document.querySelector('[name=drawSeed]').value"

        /// A draw, and its seed that the board has; without motion it takes no time.
        private static func draw(isStill: Bool) -> [String] {
            let motion = isStill ? "reduce" : "no-preference"
            let features = #"{"features": [{"name": "prefers-reduced-motion", "value": "\#(motion)"}]}"#
            return [
                "--call", "Emulation.setEmulatedMedia=\(features)",
                "--eval",
                """
                (async () => { const seen = new Set(); const start = performance.now();
                  const watch = new MutationObserver(() => {
                    const side = document.querySelector('.line-up-side.drawn h2')?.textContent; if (side) seen.add(side); });
                  watch.observe(document.querySelector('[data-line-up]'), { childList: true });
                  document.querySelector('[data-draw]').click();
                  while (\(drawn) === '') await new Promise((done) => setTimeout(done, 10));
                  watch.disconnect();
                  const time = performance.now() - start;
                  if (\(isStill) ? time > 500 || seen.size > 1 : time < 1000 || seen.size !== 2) {
                    throw new Error(`${time} ms, ${[...seen]}`); }
                  if (!document.querySelector('[data-draw]').hidden) throw new Error('drawn twice');
                  return time; })()
                """,
            ]
        }

        @Test func theMatchFillsInWhileItIsSetUpAndTheDrawIsRecorded() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            for (first, last, country) in [("Ana", "Núñez", "ES"), ("<b>Zoe", "Õ 王", "JP")] {
                let reply = try await server.request(
                    "/api/v1/players", method: "POST", headers: ["Content-Type": "application/json"],
                    body: """
                        {"firstName": "\(first)", "lastName": "\(last)", "gender": "female", "country": "\(country)",
                         "birthDate": "1999-04-30"}
                        """)
                try #require(reply.status == 201, "\(reply.text)")
            }
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let option =
                "[...document.querySelectorAll('#known-players option')].some(({ value }) => value === 'Ana Núñez')"
            let side = "document.querySelector('.line-up-side')"
            let steps: [[String]] = [
                Self.logIn,
                Self.open("/marcador/partidos/nuevo", until: "document.querySelector('.line-up-side')"),
                Self.type("a1", "nú"), ["--wait", option], Self.type("a1", "Ana Núñez"),
                [
                    "--wait",
                    "\(side).innerText.includes('Ana Núñez') && !!\(side).querySelector('img.flag[alt=Spain]')?.naturalWidth",
                ],
                Self.fails(unless: "/Age: \\d+ · Female/.test(\(side).innerText)"),
                // The same player again: said at once, and not sent.
                Self.type("b1", "Ana Núñez"),
                Self.fails(
                    unless: """
                        document.getElementById('wrong-b1').textContent === 'That player is already selected.' \
                        && !document.getElementById('match-setup').checkValidity()
                        """),
                ["--axe", script],
                // Rules without doubles, and back.
                ["--click", "[name=rules][value=football]"],
                Self.fails(
                    unless: """
                        document.querySelector('[name=modality]:checked').value === 'teams' \
                        && document.querySelector('[name=modality][value=doubles]').disabled \
                        && document.querySelector('.first-serve').hidden
                        """),
                ["--click", "[name=rules][value=racquetball3]", "--click", "[name=modality][value=doubles]"],
                Self.fails(unless: "!document.querySelector('[name=a2]').disabled"),
                ["--click", "[name=modality][value=singles]"],
                Self.type("b1", "<b>Zoe Õ 王"),
                ["--wait", "document.querySelectorAll('.line-up .flag').length === 2"],
                Self.fails(unless: "!document.querySelector('.line-up b') && \(option)"),
                Self.draw(isStill: false),
                // What was drawn stays, whatever else is chosen for a moment.
                [
                    "--eval", "window.name = \(Self.seed); 1", "--click", "[name=firstServer][value=a1]",
                    "--click", "[name=firstServer][value='']",
                ],
                Self.fails(unless: "\(Self.seed) === window.name && \(Self.drawn).includes(window.name)"),
                Self.fails(unless: "document.querySelectorAll('.line-up-side.serves').length === 1"),
                ["--axe", script, "--click", ".line-up button"],
                ["--wait", "!!document.querySelector('#referee[data-shown] .people .flag')"],
                [
                    "--eval",
                    """
                    (async () => { const id = location.pathname.split('/').at(-1);
                      const board = await (await fetch(`/api/v1/matches/${id}`)).json();
                      const sum = [...window.name].reduce((all, digit) => all + parseInt(digit, 16), 0);
                      const first = board.sides.findIndex(({ serving }) => serving === 0);
                      if (board.drawSeed !== window.name || first !== sum % 2) throw new Error(JSON.stringify(board));
                      if (board.sides[0].players[0].country !== 'ES') throw new Error('not the player'); return sum; })()
                    """,
                ],
                Self.open("/marcador/canalA", until: "document.querySelectorAll('.score-large .flag').length === 2"),
                Self.open("/marcador/partidos/nuevo", until: "document.querySelector('.line-up-side')"),
                Self.draw(isStill: true),
                ["--click", ".line-up a.second", "--wait", "location.pathname === '/marcador'"],
            ]
            try await BrowserTests.expectSuccess(OfflineMatchTests.browser(server, steps))
        }

        /// A photo that is taken by the camera, and one from a file of which a part is chosen; boards show it.
        @Test func aPhotoIsTakenAndCut() async throws {
            let server = try await AntenaProcess.serving()
            try await AccountTests.add("eva", "operator", server)
            let made = try await server.request(
                "/api/v1/players", method: "POST", headers: ["Content-Type": "application/json"],
                body: """
                    {"firstName": "Ana", "lastName": "Núñez", "gender": "female", "country": "ES", "birthDate": "1999-04-30"}
                    """)
            let id = try #require(try made.json["id"] as? String)
            let page = "/marcador/partidos/jugadores/\(id)"
            let script = try #require(AccessibilityTests.script, "run Scripts/setup.sh test, which installs axe-core")
            let place = "document.querySelector('.crop')"
            let saved =
                "location.search === '?hecho=1' && document.querySelector('.player-head .photo')?.naturalWidth === 256"
            let steps: [[String]] = [
                Self.logIn, Self.open(page, until: place),
                ["--eval", "document.querySelector('.crop ~ button:not([hidden])').click(); 1"],
                [
                    "--wait",
                    "!document.querySelector('.crop ~ video').hidden && document.querySelector('.crop ~ video').videoWidth > 0",
                ],
                [
                    "--eval",
                    "[...document.querySelectorAll('.crop ~ button')].find(({ textContent }) => textContent === 'Take photo').click(); 1",
                ],
                [
                    "--wait", "!\(place).hidden && document.querySelector('[data-crop]').files.length === 1", "--axe",
                    script,
                ],
                ["--eval", "document.querySelector('[data-crop]').form.requestSubmit(); 1", "--wait", saved],
                // The left half is red, the right half blue; what lies left of the middle is chosen.
                [
                    "--eval",
                    """
                    (async () => { const canvas = Object.assign(document.createElement('canvas'), { width: 800, height: 400 });
                      const draw = canvas.getContext('2d'); draw.fillStyle = '#f00'; draw.fillRect(0, 0, 400, 400);
                      draw.fillStyle = '#00f'; draw.fillRect(400, 0, 400, 400);
                      const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
                      const files = new DataTransfer(); files.items.add(new File([blob], 'two.png', { type: 'image/png' }));
                      const field = document.querySelector('[data-crop]'); field.files = files.files;
                      field.dispatchEvent(new Event('change', { bubbles: true })); window.antenaMark = 1; return 1; })()
                    """,
                    "--wait", "!\(place).hidden",
                    "--eval",
                    """
                    (() => { const canvas = \(place).querySelector('canvas');
                      for (let press = 0; press < 40; press += 1) {
                        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true })); }
                      document.querySelector('[data-crop]').form.requestSubmit(); return 1; })()
                    """,
                    "--wait", "window.antenaMark === undefined && \(saved)",
                    "--eval",
                    """
                    (() => { const canvas = Object.assign(document.createElement('canvas'), { width: 256, height: 256 });
                      const draw = canvas.getContext('2d'); draw.drawImage(document.querySelector('.player-head .photo'), 0, 0);
                      for (const x of [5, 128, 250]) { const [red, , blue] = draw.getImageData(x, 128, 1, 1).data;
                        if (red < 200 || blue > 60) throw new Error(`${x}: ${red}, ${blue}`); } return 1; })()
                    """,
                ],
            ]
            try await BrowserTests.expectSuccess(OfflineMatchTests.browser(server, steps))
            // The API takes the same photo, and gives it to boards.
            let match = try await server.request(
                "/api/v1/matches", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"channel": "canalA", "rules": "tennis", "sideA": ["\#(id)"], "sideB": ["Berta"]}"#)
            let photo = try #require(match.text.firstMatch(of: /"photo":"([^"]+)"/)?.1)
            let image = try await server.request(String(photo))
            #expect(image.status == 200 && image.body.starts(with: [0xFF, 0xD8, 0xFF]))
            #expect(try await server.request("/api/v1/players/\(id)/photo", method: "DELETE").status == 204)
            #expect(try await server.request(String(photo)).status == 404)
        }
    }
}
