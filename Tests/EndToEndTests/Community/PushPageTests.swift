import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The button for push messages in headless Chromium. A stub stands for the push service, which no test reaches; it
    /// gives the address of a receiver that decrypts with the library http-ece.
    @Suite struct PushPageTests {
        private static func line(_ number: Int, of receiver: BackgroundProgram) async throws -> [String: Any] {
            try await eventually("line \(number) of the receiver: \(receiver.output)\(receiver.errorOutput)") {
                let lines = receiver.output.split(separator: "\n")
                guard lines.count > number, receiver.output.hasSuffix("\n") else { return nil }
                return try JSONSerialization.jsonObject(with: Data(lines[number].utf8)) as? [String: Any]
            }
        }

        /// The functions that the page's script calls in a browser with a push service.
        private static func stub(_ browser: [String: Any]) -> String {
            let address = "http://127.0.0.1:\(browser["port"] ?? 0)/push/1"
            let keys = "{ p256dh: '\(browser["p256dh"] ?? "")', auth: '\(browser["auth"] ?? "")' }"
            return """
                PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
                  const key = btoa(String.fromCharCode(...applicationServerKey));
                  sessionStorage.antenaKey = key.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
                  if (!userVisibleOnly) throw new Error('Chromium refuses it');
                  return { toJSON: () => ({ endpoint: '\(address)', keys: \(keys) }) };
                }; 0
                """
        }

        /// Delivers a message, and again after ten seconds: Chromium loses one now and then, several times in a row on
        /// a busy machine. Each has the same tag, so that it takes the place of the one before.
        private static func delivering(_ delivery: String, until isShown: String) -> [String] {
            (1...6).flatMap { number in
                [
                    "--call", delivery, "--wait",
                    "(window.sent\(number) ??= Date.now(), \(isShown).then((is) => is || "
                        + "Date.now() - window.sent\(number) > 10000))",
                ]
            }
        }

        @Test func theButtonAddsTheBrowserAndWhatIsSentToItIsShown() async throws {
            let python = "\(Repository.path)/.build/icalendar/bin/python"
            let receiver = try BackgroundProgram.script("push-receiver.py", [], interpreter: python)
            defer { receiver.kill() }
            let keys = try await Self.line(0, of: receiver)
            let port = try BrowserTests.freePort()
            let origin = "http://localhost:\(port)"
            let server = try AntenaProcess(extraArguments: ["--public-url", origin, "--allow-private-imports"])
            let film = try server.folder.file("media/vod/film.mp4")
            try FileManager.default.copyItem(atPath: try await MovieFixture.bFrames.path(), toPath: film)
            try await server.start(http: port)
            let link = try await eventually("the server prints the link; its log: \(server.log)") {
                server.log.firstMatch(of: /\/cuenta\/inicio\?link=[A-Za-z0-9_-]+/).map { String($0.0) }
            }
            let form = "document.querySelector('form[action=\"/cuenta/inicio\"]')"
            let registration = "navigator.serviceWorker.getRegistration('/')"
            let message = #"{\"text\": \"Vídeo nuevo\", \"path\": \"/comunidad\", \"tag\": \"1\"}"#
            let delivery =
                "ServiceWorker.deliverPushMessage={\"origin\": \"\(origin)\", \"registrationId\": \"0\", "
                + "\"data\": \"\(message)\"}"
            let isShown =
                "\(registration).then((found) => found.getNotifications()).then((shown) => "
                + "shown.length === 1 && shown[0].body === 'Vídeo nuevo' && shown[0].data.path === '/comunidad')"
            let browser = try BrowserTests.drive(
                origin + link,
                [
                    "--call", "Browser.grantPermissions={\"permissions\": [\"notifications\"]}",
                    "--eval", "\(form).elements.username.value = 'ana'",
                    "--eval", "\(form).elements.password.value = 'correct horse battery'",
                    "--click", "form[action=\"/cuenta/inicio\"] button",
                    "--wait", "document.readyState === 'complete' && location.pathname === '/cuenta'",
                    "--eval", "location.href = '/comunidad/avisos'",
                    "--wait", "document.readyState === 'complete' && location.pathname === '/comunidad/avisos'",
                    "--wait", "document.querySelector('form[data-push]').hidden === false",
                    "--eval", Self.stub(keys), "--click", "form[data-push] button",
                    "--wait", "document.readyState === 'complete' && location.search === '?saved=1'",
                    "--wait", "\(registration).then((found) => found?.active?.state === 'activated')",
                    // The key that the browser was given is that of the server, which knows the browser now.
                    "--wait",
                    "fetch('/api/v1/me/push-subscriptions').then((answer) => answer.json()).then((known) => "
                        + "known.publicKey === sessionStorage.antenaKey && known.items.length === 1 "
                        + "&& known.items[0].service === '127.0.0.1')",
                    "--call", "ServiceWorker.enable={}",
                ] + Self.delivering(delivery, until: isShown) + [
                    "--eval", "\(registration).then((found) => found.getNotifications()).then((shown) => shown.length)",
                    "--wait", isShown,
                ])
            try await BrowserTests.expectSuccess(browser)

            let title = try await server.ingested("film.mp4")
            let publishing = try await server.command(
                ["video", "publish", title.id, "--name", "Salida", "--server", server.origin])
            #expect(publishing.status == 0, "\(publishing.errorOutput)")
            let pushed = try await Self.line(1, of: receiver)
            let content = pushed["content"] as? [String: String]
            #expect(content?["text"]?.hasSuffix(": Salida") == true, "\(pushed)")
            #expect(content?["path"]?.hasPrefix("/comunidad/avisos/") == true)
            #expect(pushed["audience"] as? String == "http://127.0.0.1:\(keys["port"] ?? 0)")
            #expect(pushed["ttl"] as? String == "86400")
        }
    }
}
