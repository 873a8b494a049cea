import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// A day's work of six people: each begins on the home page, types no address, and meets no dead end. It is done on
    /// a phone and on a desktop, in both languages.
    @Suite struct TourTests {
        private static let password = "correct horse battery"

        /// The steps of somebody on a screen.
        private struct Steps {
            let isPhone: Bool
            var all: [String] = []

            init(isPhone: Bool) {
                self.isPhone = isPhone
                let size = isPhone ? (390, 844) : (1_440, 900)
                all = [
                    "--call",
                    "Emulation.setDeviceMetricsOverride={\"width\": \(size.0), \"height\": \(size.1), "
                        + "\"deviceScaleFactor\": 1, \"mobile\": \(isPhone)}",
                ]
            }

            /// Clicks on what somebody sees, and is on a page then.
            mutating func click(_ selector: String, to path: String) {
                let isSeen = "(document.querySelector('\(selector)')?.getClientRects().length ?? 0) > 0"
                all += [
                    "--wait", "document.readyState === 'complete' && \(isSeen)", "--click", selector,
                    "--wait", "document.readyState === 'complete' && location.pathname === '\(path)'",
                    // Each page has a heading, and a way on.
                    "--wait", "document.querySelector('main h1') !== null && document.querySelector('.brand') !== null",
                ]
            }

            /// One of the sections of the site, by the bar or the tabs.
            mutating func section(_ path: String) {
                click(isPhone ? ".tabs a[href=\"\(path)\"]" : ".bar nav a[href=\"\(path)\"]", to: path)
            }

            mutating func home() { click(".brand", to: "/") }

            mutating func wait(_ condition: String) { all += ["--wait", condition] }

            mutating func click(_ selector: String) { all += ["--click", selector] }

            mutating func write(_ field: String, _ text: String) {
                all += [
                    "--eval",
                    "(() => { const field = document.querySelector('\(field)'); field.value = '\(text)'; "
                        + "field.dispatchEvent(new Event('input', { bubbles: true })) })()",
                ]
            }

            mutating func logIn(_ name: String) {
                click(".who", to: "/cuenta/entrar")
                write("form[action=\"/cuenta/entrar\"] [name=username]", name)
                write("form[action=\"/cuenta/entrar\"] [name=password]", TourTests.password)
                click("form[action=\"/cuenta/entrar\"] button", to: "/")
                wait("document.querySelector('.who').textContent.includes('\(name)')")
            }

            mutating func logOut() {
                click(".who", to: "/cuenta")
                click("form[action=\"/cuenta/salir\"] button", to: "/")
                wait("document.querySelector('.who').pathname === '/cuenta/entrar'")
            }
        }

        private static func server() async throws -> AntenaProcess {
            let server = try await VideoOnDemandTests.servingOneFilm(accounts: #"{"registration": "open"}"#)
            let title = try await server.ingested("film.mp4")
            func run(_ arguments: String...) async throws {
                let result = try await server.command(arguments + ["--server", server.origin])
                #expect(result.status == 0, "\(arguments): \(result.errorOutput)")
            }
            for (name, role) in [("ana", "administrator"), ("bea", "member"), ("mod", "moderator")] {
                try await AccountTests.add(name, role, server)
            }
            try await run("credits", "add", "bea", "20")
            try await run("terms", title.id, "--price", "5", "--minutes-to-play", "60")
            return server
        }

        /// A stranger looks around, and watches nothing that has to be rented.
        private static func visitor(_ steps: inout Steps) {
            steps.section("/directo")
            steps.click("#canalA-title a", to: "/directo/canalA")
            steps.wait("document.querySelector('#canalA .off, #canalA .player') !== null")
            steps.section("/radio")
            steps.section("/comunidad")
            steps.click(".chips a[href=\"/comunidad/videos\"]", to: "/comunidad/videos")
            steps.section("/videoclub")
            steps.click("a[data-title]", to: "/videoclub")
            steps.wait(
                "document.querySelector('#playing') !== null && document.querySelector('#club .button') !== null")
            steps.click("footer a[href=\"/acerca\"]", to: "/acerca")
            steps.wait("document.querySelector('.chart').naturalWidth > 0")
            steps.click("footer a[href=\"/instalar\"]", to: "/instalar")
            steps.click("footer a[href=\"/ayuda\"]", to: "/ayuda")
            steps.home()
        }

        /// Somebody signs up, and finds every section of the own account.
        private static func member(_ steps: inout Steps, name: String) {
            steps.click(".who", to: "/cuenta/entrar")
            steps.click("main a[href^=\"/cuenta/registro\"]", to: "/cuenta/registro")
            steps.write("form[action^=\"/cuenta/registro\"] [name=username]", name)
            steps.write("form[action^=\"/cuenta/registro\"] [name=password]", password)
            steps.click("form[action^=\"/cuenta/registro\"] button", to: "/cuenta")
            for path in [
                "/cuenta/seguridad", "/cuenta/dispositivos", "/cuenta/alquileres", "/cuenta/creditos",
                "/comunidad/avisos", "/cuenta", "/cuenta/mis-datos",
            ] {
                // The page of notifications has a menu of its own.
                steps.click(path == "/cuenta" ? ".who" : ".side a[href=\"\(path)\"]", to: path)
            }
            steps.logOut()
        }

        /// Somebody rents a film, starts it, watches it and votes, all on its page.
        private static func renter(_ steps: inout Steps) {
            steps.logIn("bea")
            steps.section("/videoclub")
            steps.click("a[data-title]", to: "/videoclub")
            steps.click("#club form[action$=\"/alquilar\"] button", to: "/videoclub")
            steps.wait("document.querySelector('#club form[action$=\"/empezar\"] button') !== null")
            steps.click("#club form[action$=\"/empezar\"] button", to: "/videoclub")
            steps.wait("document.querySelector('#club [data-play-here]') !== null")
            steps.all += [
                "--wait", "document.querySelector('main [data-player]')?.antenaPlayer !== undefined",
                "--eval", "document.querySelector('main video').muted = true",
            ]
            steps.click("#club [data-play-here]")
            steps.wait("document.querySelector('main video').currentTime > 0.5")
            steps.all += ["--eval", "document.querySelector('main [data-player]').antenaPlayer.pause()"]
            steps.click("#club .rate summary")
            steps.click("#club .ratings button[value=\"8\"]", to: "/videoclub")
            steps.wait("document.querySelector('main [title*=\"8\"]') !== null")
            steps.click(".who", to: "/cuenta")
            steps.click(".side a[href=\"/cuenta/alquileres\"]", to: "/cuenta/alquileres")
        }

        /// The same member finds the page on which videos are sent.
        private static func uploader(_ steps: inout Steps) {
            steps.section("/comunidad")
            steps.click(".chips a[href=\"/comunidad/videos\"]", to: "/comunidad/videos")
            steps.click("main a[href=\"/comunidad/subir\"]", to: "/comunidad/subir")
            steps.wait("document.querySelector('[data-send] input[type=file]') !== null")
            steps.logOut()
        }

        private static func moderator(_ steps: inout Steps) {
            steps.logIn("mod")
            steps.click(".who", to: "/cuenta")
            steps.click(".side a[href=\"/operator/moderacion\"]", to: "/operator/moderacion")
            steps.logOut()
        }

        /// An operator sees that all is well, adds a channel, and reads the log.
        private static func administrator(_ steps: inout Steps, channel: String) {
            steps.logIn("ana")
            steps.click(".who", to: "/cuenta")
            steps.click(".side a[href=\"/operator\"]", to: "/operator")
            steps.wait("document.querySelector('#dashboard .verdict, #dashboard .alerts') !== null")
            steps.click("main .chips a[href=\"/operator/registro\"]", to: "/operator/registro")
            steps.wait("document.querySelectorAll('#log li').length > 0")
            steps.click("main a[href=\"/operator\"]", to: "/operator")
            steps.click("main .chips a[href=\"/operator/ajustes\"]", to: "/operator/ajustes")
            steps.click("main a[href=\"/operator/canal-nuevo\"]", to: "/operator/canal-nuevo")
            steps.write("[name=name]", channel)
            steps.click("form[action=\"/operator/canal-nuevo\"] button", to: "/operator/canales/\(channel)")
            // A link for an encoder is shown once, and can be revoked.
            let links = "/operator/canales/\(channel)/enlaces"
            steps.click("main a[href=\"\(links)\"]", to: links)
            steps.write("[name=name]", "Obra")
            steps.click("form[action=\"\(links)\"] button", to: links)
            steps.wait("document.querySelector('.secret')?.textContent.includes('/live/\(channel).stream?token=')")
            steps.click("main a[href=\"\(links)\"]", to: links)
            steps.wait("document.querySelector('.lines .name')?.textContent === 'Obra'")
            steps.click("form[action=\"\(links)/quitar\"] button", to: links)
            steps.wait("document.querySelector('form[action=\"\(links)/quitar\"]') === null")
            // An address on the server's own machine gets no messages, and the page says why.
            steps.click(".side a[href=\"/operator\"]", to: "/operator")
            steps.click("main .chips a[href=\"/operator/webhooks\"]", to: "/operator/webhooks")
            steps.write("[name=url]", "http://127.0.0.1:1/")
            steps.click("form[action=\"/operator/webhooks\"] button", to: "/operator/webhooks")
            steps.wait("document.querySelector('[name=url][aria-invalid]') !== null")
            steps.section("/directo")
            steps.wait("document.querySelector('#\(channel)') !== null")
            steps.logOut()
        }

        @Test(arguments: ["en", "es"], [true, false])
        func sixPeopleDoTheirWorkByClicks(_ language: String, _ isPhone: Bool) async throws {
            let server = try await Self.server()
            var steps = Steps(isPhone: isPhone)
            steps.wait("document.documentElement.lang === '\(language)'")
            Self.visitor(&steps)
            Self.member(&steps, name: "eva")
            Self.renter(&steps)
            Self.uploader(&steps)
            Self.moderator(&steps)
            Self.administrator(&steps, channel: "canalE")
            let browser = try BrowserTests.drive(server.origin, flags: ["--accept-lang=\(language)"], steps.all)
            try await BrowserTests.expectSuccess(browser)
        }

        /// Texts that are half as long again, from right to left: nothing is wider than the window.
        @Test func longTextsAndTheOtherDirectionBreakNothing() async throws {
            let server = try await Self.server()
            let pretend = """
                (() => { document.documentElement.dir = 'rtl'; const walker = document.createTreeWalker(document.body,
                NodeFilter.SHOW_TEXT); const nodes = []; while (walker.nextNode()) nodes.push(walker.currentNode);
                for (const node of nodes) { const words = node.textContent.trim(); if (words && !node.parentElement.closest(
                'script, style, pre, code')) node.textContent = `⟦${node.textContent}${' ·'.repeat(Math.ceil(words.length / 4))}⟧`; }
                const width = document.documentElement.scrollWidth; if (width > innerWidth) throw new Error(
                `${location.pathname} is ${width} wide at ${innerWidth}: ` + [...document.querySelectorAll('body *')].filter(
                element => element.getBoundingClientRect().left < -1 || element.getBoundingClientRect().right > innerWidth + 1)
                .slice(0, 8).map(element => element.outerHTML.slice(0, 80)).join(' ')) })()
                """.replacing("\n", with: " ")
            var steps: [String] = []
            for (width, isPhone) in [(390, true), (1_440, false)] {
                steps += [
                    "--call",
                    "Emulation.setDeviceMetricsOverride={\"width\": \(width), \"height\": 844, \"deviceScaleFactor\": 1, "
                        + "\"mobile\": \(isPhone)}",
                ]
                for path in [
                    "/", "/directo", "/directo/canalA", "/videoclub", "/videoclub?title=film", "/radio", "/comunidad",
                    "/comunidad/videos", "/acerca", "/instalar", "/ayuda", "/cuenta/entrar", "/buscar?q=film",
                    "/nowhere",
                ] {
                    steps += [
                        "--eval", "window.antenaOld = true; location.href = '\(path)'",
                        "--wait",
                        "window.antenaOld === undefined && document.readyState === 'complete' "
                            + "&& location.pathname + location.search === '\(path)'",
                        "--eval", pretend,
                    ]
                }
            }
            let browser = try BrowserTests.drive(server.origin, steps)
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
