import Foundation
import Glibc
import TestSupport
import Testing

extension EndToEnd {
    /// The site as an app: without a network, and for what other apps share.
    @Suite struct AppTests {
        private static let isActive = [
            "--wait",
            "navigator.serviceWorker.getRegistration('/').then((found) => found?.active?.state === 'activated')",
            "--wait", "navigator.serviceWorker.controller !== null",
            "--wait", "caches.match('/sin-conexion').then((found) => found !== undefined)",
        ]

        @Test func aPageSaysThatThereIsNoNetwork() async throws {
            let server = try await AntenaProcess.serving { _ in }
            let browser = try BrowserTests.drive(
                server.origin,
                Self.isActive + [
                    "--say", "the worker is there",
                    "--wait", "fetch('/healthz').then(() => false, () => true)",
                    "--eval", "location.href = '/videoclub'",
                    "--wait", "document.querySelector('main h1')?.textContent === 'You are offline'",
                    // The styles are there as well.
                    "--wait", "getComputedStyle(document.querySelector('.empty')).textAlign === 'center'",
                ])
            _ = try await eventually("the worker is there: \(browser.output)", within: 60) {
                browser.output.contains("the worker is there") ? true : nil
            }
            server.signal(SIGTERM)
            _ = try await server.waitForExit(within: 30)
            try await BrowserTests.expectSuccess(browser)
        }

        /// The service worker keeps what another app shares, through the log-in, until the upload page sends it.
        @Test func aSharedVideoIsSentByTheUploadPage() async throws {
            let server = try await AntenaProcess.serving { _ in }
            try await AccountTests.add("bea", "member", server)
            let share = """
                (() => { const form = Object.assign(document.createElement('form'), { method: 'post', action: '/compartir',
                enctype: 'multipart/form-data' }); const input = Object.assign(document.createElement('input'),
                { type: 'file', name: 'video' }); const files = new DataTransfer(); files.items.add(new File([new Uint8Array(5000)],
                'un vídeo.mp4', { type: 'video/mp4' })); input.files = files.files; form.append(input); document.body.append(form);
                form.submit(); })()
                """.replacing("\n", with: " ")
            let browser = try BrowserTests.drive(
                server.origin,
                Self.isActive + [
                    "--eval", share,
                    "--wait", "document.readyState === 'complete' && location.pathname === '/cuenta/entrar'",
                    "--eval", "document.querySelector('[name=username]').value = 'bea'",
                    "--eval", "document.querySelector('[name=password]').value = 'correct horse battery'",
                    "--click", "form[action=\"/cuenta/entrar\"] button",
                    // It is sent, and its page asks what it is about.
                    "--wait", "location.pathname.startsWith('/comunidad/subir/')",
                    "--wait", "document.body.textContent.includes('un vídeo.mp4')",
                    "--wait",
                    "caches.open('antena-shared').then((kept) => kept.keys()).then((keys) => keys.length === 0)",
                ])
            try await BrowserTests.expectSuccess(browser)
        }
    }
}
