import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Checks the API against its OpenAPI description with schemathesis (https://schemathesis.io), which generates
    /// requests from `/api/v1/openapi.json` and checks the responses.
    @Suite struct SchemaTests {
        /// The options limit the run and fix the seed, so that runs are reproducible.
        private static let options = [
            "--max-examples", "10", "--seed", "1", "--generation-deterministic", "--request-timeout", "20",
            "--suppress-health-check", "all", "--output-truncate", "true", "--no-color",
        ]

        @Test func theServerDoesWhatItsDescriptionSays() async throws {
            let program = "\(Repository.path)/.build/schemathesis/bin/schemathesis"
            try #require(
                FileManager.default.isExecutableFile(atPath: program), "run Scripts/setup.sh test, which installs it")
            let server = try await VideoOnDemandTests.servingOneFilm()
            _ = try await server.ingested("film.mp4")
            let support = "\(Repository.path)/Tests/Support/schemathesis"
            let result = try await ExternalTool("env").run(
                [
                    // Schemathesis stores its findings in the current folder.
                    "-C", server.folder.path, "PYTHONPATH=\(support)", "SCHEMATHESIS_HOOKS=hooks",
                    "HOME=\(server.folder.path)", program,
                    "--config-file", "\(support)/schemathesis.toml", "run", "\(server.origin)/api/v1/openapi.json",
                    "--url", server.origin, "-H", "Authorization: Bearer \(try server.operatorToken)",
                ] + Self.options, deadline: 240, requiringSuccess: false)
            let lines = result.text.split(separator: "\n").map { $0.prefix(300) }
            #expect(
                result.status == 0, "\(lines.suffix(120).joined(separator: "\n"))\(result.errorOutput.suffix(2_000))")
            #expect(server.isRunning && !server.log.contains("request failed"), "\(server.log.suffix(2_000))")
        }
    }
}
