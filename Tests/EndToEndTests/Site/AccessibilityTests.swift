import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The site's pages in Chromium, checked by axe-core (https://github.com/dequelabs/axe-core).
    @Suite struct AccessibilityTests {
        /// The script of axe-core; `nil` if it is not installed.
        static let script: String? = {
            let folder = "\(Repository.path)/.build/axe/lib"
            let name = "site-packages/axe_playwright_python/axe.min.js"
            let python = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return python.map { "\(folder)/\($0)/\(name)" }.first(where: FileManager.default.fileExists)
        }()

        private static func check(_ script: String, _ path: String) -> [String] {
            [
                "--eval", "location.href = '\(path)'",
                "--wait", "document.readyState === 'complete' && location.pathname + location.search === '\(path)'",
                "--axe", script,
            ]
        }

        private static let strangersPages = [
            "/", "/videoclub", "/radio", "/directo", "/marcador", "/marcador/canalA", "/acerca", "/test-player",
            "/marcador/partidos/tableta", "/marcador/partidos/estrategia", "/api/v1/docs", "/videoclub?q=nothing",
            "/videoclub?section=new&sort=rating", "/videoclub/series", "/radio/albumes",
            "/cuenta/entrar", "/instalar",
            "/cuenta/registro", "/cuenta/clave", "/ayuda", "/nowhere", "/comunidad", "/comunidad?section=finished",
        ]
        private static let administratorsPages = [
            "/cuenta", "/cuenta/seguridad", "/cuenta/dispositivos", "/cuenta/mis-datos", "/operator",
            "/operator/registro", "/operator/ajustes", "/operator/canal-nuevo", "/operator/components",
            "/operator/webhooks",
            "/operator/canales/canalA/enlaces",
            "/cuenta/usuarios", "/cuenta/registro-de-cambios", "/cuenta/dispositivo",
            "/operator/titulos/film/precio", "/operator/canales/canalA", "/videoclub/titulos/film",
            "/videoclub/titulos/film/alquilar",
            "/cuenta/alquileres", "/cuenta/creditos",
            "/operator/competiciones/nueva", "/operator/buzon", "/operator/anuncios", "/comunidad/avisos",
            "/comunidad/perfil",
            "/comunidad/buscar?q=rally", "/operator/titulos/film",
        ]

        /// Pages on a phone: nothing is wider than the window.
        ///
        /// - Parameters:
        ///   - width: the width of the phone, in pixels.
        ///   - visits: the steps that open a page each.
        private static func checkOnPhone(width: Int, _ visits: [[String]]) -> [String] {
            let phone = "{\"width\": \(width), \"height\": 844, \"deviceScaleFactor\": 3, \"mobile\": true}"
            // The names of the elements that are cut off, for the one who mends the page.
            let check = """
                (() => { const width = document.documentElement.scrollWidth; if (width > \(width)) throw new Error(
                `${location.pathname} is ${width} wide: ` + [...document.querySelectorAll('body *')].filter(element =>
                element.getBoundingClientRect().right > \(width)).map(element => element.outerHTML.slice(0, 80))
                .join(' ')) })()
                """
            return ["--call", "Emulation.setDeviceMetricsOverride=\(phone)"]
                + visits.flatMap { $0 + ["--eval", check] }
        }

        private static func phonePages(competition: String, video: String) -> [String] {
            [
                "/comunidad", "/comunidad/\(competition)", "/comunidad/\(competition)?day=1", "/comunidad/videos",
                "/comunidad/video/\(video)", "/comunidad/miembro/ana", "/comunidad/buscar?q=rally", "/comunidad/subir",
                "/comunidad/avisos", "/comunidad/perfil", "/comunidad/actividad", "/comunidad/publicar/film", "/cuenta",
                "/cuenta/seguridad", "/operator", "/operator/registro", "/operator/ajustes", "/operator/components",
                "/operator/moderacion", "/operator/competiciones/\(competition)",
                "/operator/competiciones/\(competition)/mapa",
            ]
        }

        private static func go(to path: String) -> [String] {
            [
                "--eval", "location.href = '\(path)'",
                "--wait", "document.readyState === 'complete' && location.pathname === '\(path)'",
            ]
        }

        /// A draft of a message to the operators survives a reload, until it is sent.
        private static let draftSteps: [String] = {
            let field = { (name: String) in "document.querySelector('[name=\(name)]')" }
            let write = { (name: String, value: String) in
                [
                    "--eval",
                    "\(field(name)).value = '\(value)'; "
                        + "\(field(name)).dispatchEvent(new Event('input', { bubbles: true }))",
                ]
            }
            let isWritten = "\(field("subject")).value === 'No sound' && \(field("text")).value === 'Since noon'"
            return go(to: "/ayuda") + write("subject", "No sound") + write("text", "Since noon") + [
                "--eval", "window.antenaMark = 'before'; location.reload()",
                "--wait", "document.readyState === 'complete' && window.antenaMark === undefined && \(isWritten)",
            ] + write("sender", "ana@example.org") + [
                "--click", "form[action=\"/ayuda\"] button",
                "--wait", "document.readyState === 'complete' && location.search === '?hecho=1'",
            ] + go(to: "/acerca") + go(to: "/ayuda") + [
                "--wait", "\(field("subject")).value === '' && \(field("sender")).value === ''",
            ]
        }()

        /// The link of a title is copied where the browser has no dialog for sharing.
        private static let shareSteps =
            go(to: "/videoclub/titulos/film") + [
                "--eval",
                "Object.defineProperty(navigator, 'share', { value: undefined, configurable: true }); "
                    + "navigator.clipboard.writeText = (text) => { window.antenaCopy = text; return Promise.resolve(); }",
                "--click", "[data-share] summary",
                "--wait", "window.antenaCopy === `${location.origin}/videoclub/titulos/film`",
                "--wait", "document.querySelector('[data-share] ~ [role=status]').textContent !== ''",
            ]

        /// Puts a title into a series, with the command line.
        ///
        /// - Returns: the path of the page of the series.
        private static func series(of title: String, on server: AntenaProcess) async throws -> String {
            let origin = ["--server", server.origin]
            let changed = try await server.command(
                ["title", "set", title, "--series", "Jardín", "--season", "1", "--episode", "2"] + origin)
            #expect(changed.status == 0, "\(changed.errorOutput)")
            let list = try await server.command(["series", "list", "--json"] + origin)
            let items = try JSONSerialization.jsonObject(with: Data(list.text.utf8)) as? [[String: Any]]
            let id = try #require(items?.first?["id"] as? String)
            let shown = try await server.command(["series", "show", id] + origin)
            #expect(shown.text.hasPrefix("Jardín\nSEASON") && shown.text.contains("film"), "\(shown)")
            let none = try await server.command(["album", "list"] + origin)
            #expect(none.text == "no albums\n")
            return "/videoclub/series/\(id)"
        }

        /// As a visitor and as an administrator, in light and dark colours, in both languages.
        @Test(arguments: [("light", "en"), ("dark", "es")])
        func noPageHasAViolation(_ colours: String, _ language: String) async throws {
            let script = try #require(Self.script, "run Scripts/setup.sh test, which installs axe-core")
            let server = try await VideoOnDemandTests.servingOneFilm()
            _ = try await server.ingested("film.mp4")
            _ = try await server.command(["terms", "film.mp4", "--price", "5", "--server", server.origin])
            let competition = try await CompetitionCommandTests.competition(on: server)
            try await CompetitionCommandTests.map(of: competition, title: "film", on: server)
            let series = try await Self.series(of: "film.mp4", on: server)
            let strangersPages = Self.strangersPages + ["/comunidad/\(competition)", series]
            let editing = "/operator/competiciones/\(competition)"
            let administratorsPages =
                [editing, "\(editing)/clasificacion", "\(editing)/mapa"] + Self.administratorsPages
            let link = try await eventually("the server prints the link; its log: \(server.log)") {
                server.log.firstMatch(of: /\/cuenta\/inicio\?link=[A-Za-z0-9_-]+/).map { String($0.0) }
            }
            func fill(_ action: String, _ values: [(String, String)]) -> [String] {
                values.flatMap { name, value in
                    [
                        "--eval",
                        "document.querySelector('form[action=\"\(action)\"] [name=\(name)]').value = '\(value)'",
                    ]
                } + ["--click", "form[action=\"\(action)\"] button"]
            }
            let media = "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"\(colours)\"}]}"
            var steps =
                ["--wait", "document.documentElement.lang === '\(language)'"]
                + ["--call", "Emulation.setEmulatedMedia=\(media)"]
                + strangersPages.flatMap { Self.check(script, $0) }
            steps += Self.draftSteps
            // A form with mistakes, and the first administrator.
            steps += Self.check(script, link) + fill("/cuenta/inicio", [("username", "ana"), ("password", "x")])
            steps += ["--wait", "document.querySelector('.wrong, [role=alert]') !== null", "--axe", script]
            steps += fill("/cuenta/inicio", [("username", "ana"), ("password", "correct horse battery")])
            steps += ["--wait", "document.readyState === 'complete' && location.pathname === '/cuenta'"]
            steps += Self.shareSteps
            steps += administratorsPages.flatMap { Self.check(script, $0) }
            // What somebody sends with a mistake stays in the form; what is right is shown to everybody.
            let form = "/operator/titulos/film"
            steps += fill(form, [("title", "Un jardín"), ("description", "Dos <b>líneas</b>"), ("year", "x")])
            steps += [
                "--wait", "document.querySelector('[name=year][aria-invalid]') !== null",
                "--wait", "document.querySelector('[name=title]').value === 'Un jardín'", "--axe", script,
            ]
            steps += fill(form, [("year", "1987")])
            steps += ["--wait", "document.querySelector('[role=status]') !== null"]
            steps += Self.check(script, "/videoclub?title=film")
            steps += [
                "--wait", "document.querySelector('#playing').textContent === 'Un jardín'",
                "--wait", "document.querySelector('.description').textContent === 'Dos <b>líneas</b>'",
                "--wait", "document.querySelector('a[href=\"\(form)\"]') !== null",
            ]
            let channel = "/operator/canales/canalA"
            steps += Self.go(to: channel)
            steps += fill(channel, [("title", "Canal Uno"), ("description", "Dos <b>líneas</b>"), ("website", "x")])
            steps += [
                "--wait", "document.querySelector('[name=website][aria-invalid]') !== null",
                "--wait", "document.querySelector('[name=title]').value === 'Canal Uno'", "--axe", script,
            ]
            steps += fill(channel, [("website", "https://example.org/")])
            steps += ["--wait", "document.querySelector('[role=status]') !== null"]
            steps +=
                Self.check(script, "/directo") + [
                    "--wait", "document.querySelector('#canalA-title').textContent === 'Canal Uno'",
                    "--wait", "document.querySelector('#canalA .about').textContent === 'Dos <b>líneas</b>'",
                    "--wait", "document.querySelector('#canalA a[href=\"https://example.org/\"]') !== null",
                    "--wait", "document.querySelector('#canalA a[href=\"\(channel)\"]') !== null",
                ]
            if language == "es" {
                let videos = try await server.items("/api/v1/videos")
                let video = try #require(videos.first?["id"] as? String)
                // Words that nobody breaks, and a table of many columns.
                let words = "https://example.org/" + String(repeating: "Gutenprogramm", count: 20)
                let columns = (1...20).map { "Columna\($0)" }.joined(separator: ";")
                let table = try server.folder.write("\(columns)\n\(columns)\n", to: "wide.csv")
                let sent = try await server.command(
                    ["competition", "standings", competition, table, "--server", server.origin])
                #expect(sent.status == 0, "\(sent.errorOutput)")
                steps += Self.go(to: "/comunidad/perfil") + fill("/comunidad/perfil", [("about", words)])
                steps += ["--wait", "document.querySelector('[role=status]') !== null"]
                steps += Self.go(to: "/comunidad/video/\(video)")
                steps += fill("/comunidad/video/\(video)/comentar", [("text", words)])
                steps += ["--wait", "(document.querySelector('main')?.textContent ?? '').includes('Gutenprogramm')"]
                let phonePages = Self.phonePages(competition: competition, video: video)
                steps += Self.checkOnPhone(width: 390, phonePages.map { Self.check(script, $0) })
                // The narrowest phones.
                let paths = (strangersPages + phonePages).filter { !$0.contains("?") }
                steps += Self.checkOnPhone(width: 320, paths.map(Self.go))
            }
            let browser = try BrowserTests.drive("\(server.origin)/", flags: ["--accept-lang=\(language)"], steps)
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
