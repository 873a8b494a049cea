import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Results of matches as files, in Chromium and on the command line, at a server with its own workers.
    @Suite struct ResultFileTests {
        private static func send(_ server: AntenaProcess, _ path: String, _ body: String) async throws -> String {
            let reply = try await server.request(
                "/api/v1/\(path)", method: "POST", headers: ["Content-Type": "application/json"], body: body)
            try #require((200..<300).contains(reply.status), "\(reply.text)")
            return reply.text
        }

        /// Plays a match that the first side wins, and returns its ID.
        private static func play(_ server: AntenaProcess, _ first: String, _ second: String) async throws -> String {
            let made = try await send(
                server, "matches",
                #"{"channel": "canalA", "rules": "racquetball3", "sideA": ["\#(first)"], "sideB": ["\#(second)"]}"#)
            let id = String(try #require(made.firstMatch(of: /"match":"([^"]+)"/)?.1))
            _ = try await send(
                server, "matches/\(id)/events", #"{"events": [{"type": "start"}, {"type": "walkover", "side": "a"}]}"#)
            return id
        }

        /// The PDF file that the server's worker has made is on the page, and a command writes the same.
        @Test func resultsAreMadeAPDFFile() async throws {
            let server = try await AntenaProcess.serving()
            _ = try await Self.play(server, "Ελένη Παπαδοπούλου", "Борис Щукин")
            let id = try await Self.play(server, "王小明", "Łukasz Żółć")
            let folder = try TemporaryDirectory(label: "results")
            let all = try await server.command(
                ["score", "results", "--server", server.origin, "--format", "pdf", "--output", "\(folder.path)/a.pdf"])
            #expect(all.status == 0, "\(all.errorOutput)")
            let text = try await ExternalTool("pdftotext").run(["-layout", "\(folder.path)/a.pdf", "-"]).text
            for name in ["Ελένη Παπαδοπούλου", "Борис Щукин", "王小明", "Łukasz Żółć", "Page 1 of 1"] {
                #expect(text.contains(name), "\(text)")
            }
            let one = try await server.command(["score", "results", "--server", server.origin, id, "--format", "txt"])
            #expect(one.text.hasPrefix("王小明 – Łukasz Żółć"))
        }

        /// The system's dialog gets a short text, paper the chosen results, and the files are those of the choice.
        @Test func oneResultIsSharedAndTheChosenOnesArePrinted() async throws {
            let server = try await AntenaProcess.serving()
            let long = (1...12).map { "Nombre\($0)" }.joined(separator: " ")
            let id = try await Self.play(server, "<i>\(long)</i>", long)
            _ = try await Self.play(server, "Ana", "Berta")
            let menu = "document.querySelectorAll('details[data-menu]')[1]"
            try await BrowserTests.expectSuccess(
                BrowserTests.drive(
                    "\(server.origin)/marcador/partidos/resultados",
                    [
                        "--wait", "document.querySelectorAll('.choose input:not([hidden])').length === 2",
                        "--eval",
                        """
                        (() => { navigator.share = async (given) => { window.given = given; };
                          \(menu).querySelector('summary').click();
                          \(menu).querySelector('[data-share] summary').click(); return 1; })()
                        """,
                        "--wait", "Boolean(window.given)",
                        "--eval",
                        """
                        (() => { const { text, url } = window.given;
                          if (text.length > 140 || !text.includes('…') || !text.startsWith('<i>Nombre1')) throw new Error(text);
                          if (!url.endsWith('/marcador/partidos/\(id)/resultado')) throw new Error(url); return text; })()
                        """,
                        "--eval",
                        """
                        (() => { document.querySelector('.choose input[value="\(id)"]').click();
                          const address = document.querySelector('[data-file]').href;
                          if (!address.endsWith('?format=pdf&ids=\(id)')) throw new Error(address); return address; })()
                        """,
                        "--call", #"Emulation.setEmulatedMedia={"media":"print"}"#,
                        "--eval",
                        """
                        (() => { const shown = [...document.querySelectorAll('tbody tr')]
                            .filter((row) => getComputedStyle(row).display !== 'none');
                          if (shown.length !== 1 || !shown[0].textContent.includes('Nombre8')) throw new Error(shown.length);
                          const hidden = ['.bar', '.files', '.choose', '.menu', 'form', 'footer'];
                          const seen = hidden.filter((part) => document.querySelector(part)?.getClientRects().length > 0);
                          if (seen.length > 0) throw new Error(seen.join()); return 1; })()
                        """,
                    ]))
        }
    }
}
