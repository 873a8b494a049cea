import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Checks the API against its OpenAPI description with schemathesis (https://schemathesis.io), which generates
    /// requests from `/api/v1/openapi.json` and checks the responses.
    @Suite struct SchemaTests {
        /// A sender of the requests.
        enum Sender: CaseIterable {
            case operatorOfTheMachine, administrator, member, stranger

            /// The number of generated requests for each operation, beside the examples and the limits of each value.
            /// `Tests/Support/schemathesis/long-run.py` tries thousands.
            var exampleCount: Int {
                switch self {
                case .operatorOfTheMachine: 4
                case .member: 2
                case .administrator, .stranger: 1
                }
            }

            /// The runs that each stay within the time limit of a test on a busy machine. An administrator may do what
            /// the operator may, who tries the limits of each value and the links between operations already; a
            /// stranger is refused before anything looks at most values.
            var runs: [Run] {
                switch self {
                case .operatorOfTheMachine:
                    [Run(sender: self, phases: "coverage"), Run(sender: self, phases: "examples,fuzzing,stateful")]
                case .administrator, .stranger: [Run(sender: self, phases: "examples,fuzzing")]
                case .member:
                    [
                        Run(sender: self, phases: "coverage", paths: Self.membersPaths),
                        Run(sender: self, phases: "examples,fuzzing,stateful"),
                    ]
                }
            }

            /// The paths on which members may do something.
            private static let membersPaths =
                "^/api/v1/(me|members|users|videos|comments|competitions|titles|rentals|session|support-messages)"
        }

        /// One run of schemathesis.
        struct Run: CustomTestStringConvertible {
            var sender: Sender
            var phases: String
            /// Pattern of the operations that are tried; `nil` for all.
            var paths: String?

            var testDescription: String { "\(sender), \(phases)" }

            static let all = Sender.allCases.flatMap(\.runs)
        }

        /// The options fix the seed, so that runs are reproducible.
        private static let options = [
            "--seed", "1", "--generation-deterministic", "--request-timeout", "20", "--suppress-health-check", "all",
            "--output-truncate", "true", "--no-color", "--warnings", "off",
        ]

        /// The header with which somebody sends requests.
        private static func header(_ sender: Sender, _ server: AntenaProcess) async throws -> [String] {
            func authorization(_ secret: String) -> [String] { ["-H", "Authorization: Bearer \(secret)"] }
            switch sender {
            case .operatorOfTheMachine: return authorization(try server.operatorToken)
            case .administrator, .member:
                let role = sender == .member ? "member" : "administrator"
                try await AccountTests.add("ana", role, server)
                return authorization(try await AccountTests.token(["ana", "schemathesis"], server))
            case .stranger: return []
            }
        }

        /// The description is rendered from what the server answers.
        @Test func theDescriptionIsValid() async throws {
            let python = "\(Repository.path)/.build/linters/bin/python"
            try #require(
                FileManager.default.isExecutableFile(atPath: python), "run Scripts/setup.sh test, which installs it")
            let server = try await AntenaProcess.serving()
            let description = try server.folder.file("openapi.json")
            let answer = try await server.request("/api/v1/openapi.json")
            try Data(answer.body).write(to: URL(filePath: description))
            let result = try await ExternalTool("env").run(
                [python, "\(Repository.path)/Scripts/check-description.py", description], requiringSuccess: false)
            #expect(result.status == 0, "\(result.errorOutput.prefix(5_000))")
        }

        @Test(arguments: Run.all)
        func theServerDoesWhatItsDescriptionSays(_ run: Run) async throws {
            let sender = run.sender
            let program = "\(Repository.path)/.build/schemathesis/bin/schemathesis"
            try #require(
                FileManager.default.isExecutableFile(atPath: program), "run Scripts/setup.sh test, which installs it")
            // The limit of requests for each member would hide everything else.
            let server = try await VideoOnDemandTests.servingOneFilm(accounts: "{\"apiRequests\": 100000}")
            _ = try await server.ingested("film.mp4")
            let support = "\(Repository.path)/Tests/Support/schemathesis"
            let result = try await ExternalTool("env").run(
                [
                    // Schemathesis stores its findings in the current folder.
                    "-C", server.folder.path, "PYTHONPATH=\(support)", "SCHEMATHESIS_HOOKS=hooks",
                    "HOME=\(server.folder.path)", program,
                    "--config-file", "\(support)/schemathesis.toml", "run", "\(server.origin)/api/v1/openapi.json",
                    "--url", server.origin, "--max-examples", "\(sender.exampleCount)",
                    "--phases", run.phases,
                ] + (run.paths.map { ["--include-path-regex", $0] } ?? []) + Self.options + Self.header(sender, server),
                deadline: 480, requiringSuccess: false)
            let lines = result.text.split(separator: "\n").map { $0.prefix(300) }
            #expect(
                result.status == 0, "\(lines.suffix(120).joined(separator: "\n"))\(result.errorOutput.suffix(2_000))")
            #expect(server.isRunning && !server.log.contains("request failed"), "\(server.log.suffix(2_000))")
        }
    }
}
