import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Metrics of a real server, checked with Prometheus' own `promtool`.
    @Suite struct MetricsTests {
        /// Where `Scripts/setup.sh test` puts the program.
        private static let path = "\(Repository.path)/.build/prometheus/promtool"

        /// The output of `promtool check metrics` about `text`.
        private static func check(_ text: String) async throws -> ExternalTool.Result {
            let promtool = ExternalTool(path: path)
            let folder = try TemporaryDirectory(label: "metrics")
            let file = try folder.write(text, to: "metrics.txt")
            return try await ExternalTool("sh").run(
                ["-c", "exec \"$0\" check metrics <\"$1\"", promtool.path, file], requiringSuccess: false)
        }

        @Test func promtoolFindsNothingInAScrapeOfABusyServer() async throws {
            let source = try await MovieFixture.noBFrames.path()
            let server = try AntenaProcess(extraArguments: ["--allow-private-imports"])
            try FileManager.default.copyItem(atPath: source, toPath: server.folder.file("media/vod/film.mp4"))
            try await server.start()
            let publisher = try BackgroundProgram.publisher(to: LiveTests.address(server))
            defer { publisher.kill() }
            // Nobody listens at this port, so attempts to deliver to it fail.
            let webhook = try await server.command([
                "webhook", "add", "http://127.0.0.1:9/", "--server", server.origin,
            ])
            #expect(webhook.status == 0, "\(webhook.errorOutput)")
            try await AccountTests.add("ana", "member", server)
            #expect(try await server.ingested("film.mp4").state == "ready")
            #expect(try await server.web.request("/vod/film/playlist.m3u8").status != 500)
            #expect(try await server.web.request("/api/v1/users").status == 401)
            let text = try await eventually("a channel is on the air and an attempt has failed") {
                let text = try await server.request("/metrics").text
                let isComplete =
                    text.contains("antena_webhook_attempts_total{result=\"failed\"} ")
                    && !text.contains("antena_webhook_attempts_total{result=\"failed\"} 0\n")
                    && text.contains("channel=\"canalA\"") && text.contains("method=\"POST\",status=\"2xx\"")
                return try await server.channelState("canalA") == "live" && isComplete ? text : nil
            }
            let result = try await Self.check(text)
            #expect(result.status == 0, "\(result.text)\(result.errorOutput)")
            #expect(result.text.isEmpty && result.errorOutput.isEmpty, "\(result.text)\(result.errorOutput)")
            // The check can fail: a counter without its ending is something that only the linter minds.
            let bad = try await Self.check(text + "# HELP antena_bad Bad.\n# TYPE antena_bad counter\nantena_bad 1\n")
            #expect(bad.status != 0 && bad.errorOutput.contains("antena_bad"), "\(bad.text)\(bad.errorOutput)")
        }
    }
}
