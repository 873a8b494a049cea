import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The weight of pages, and how still they stand while they load.
    @Suite struct SiteBudgetTests {
        /// Bytes over the wire of a page with its styles and scripts, without pictures and media.
        private static let maximumByteCount = 80_000
        /// The sum of layout shifts (https://wicg.github.io/layout-instability/).
        private static let maximumShift = 0.02

        /// Measures a page that was loaded into an empty cache, and looked at for a second.
        private static let measure = """
            (async () => {
              let shift = 0;
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
              }).observe({ type: 'layout-shift', buffered: true });
              await new Promise(resolve => setTimeout(resolve, 1000));
              const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .filter(({ name }) => !/[.](jpg|png|svg|m4s|mp4|m3u8|vtt)|cover|poster/.test(new URL(name).pathname));
              const bytes = entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
              if (bytes > \(maximumByteCount)) throw new Error(`${bytes} bytes`);
              if (shift > \(maximumShift)) throw new Error(`layout shift ${shift}`);
              return `${location.pathname}: ${bytes} bytes, ${shift}`;
            })()
            """

        /// Errors of scripts and reports of the policy are in the browser's log.
        @Test func pagesAreLightStandStillAndRunWithoutErrors() async throws {
            let server = try await PlayerTests.servingAFilm()
            _ = try await server.ingested("film.mkv")
            var steps = [
                "--call",
                #"Emulation.setDeviceMetricsOverride={"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true}"#,
                "--call", "Network.enable={}", "--call", #"Network.setCacheDisabled={"cacheDisabled": true}"#,
            ]
            for path in [
                "/", "/directo", "/directo/canalA", "/videoclub", "/videoclub?title=film", "/radio", "/buscar?q=f",
                "/acerca", "/comunidad",
            ] {
                steps += [
                    "--eval", "location.href = '\(path)'; 1",
                    "--wait", "location.href.endsWith('\(path)') && document.readyState === 'complete'",
                    "--eval", Self.measure,
                ]
            }
            let browser = try BrowserTests.drive("\(server.origin)/cuenta/entrar", steps)
            try await BrowserTests.expectSuccess(browser)
            for sign in ["Refused to", "violates", "Uncaught", "TypeError"] {
                #expect(!browser.output.contains(sign), "\(browser.output)")
            }
        }
    }
}
