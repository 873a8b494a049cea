import APIClient
import ArgumentParser
import JSONDocument

struct MediaVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify that the files in the media store are unchanged.",
        discussion: "The exit status is 1 if a file is missing or differs.")

    @Flag(help: "Read all of each file and compare its checksum; otherwise size and version are compared.")
    var read = false

    @OptionGroup var options: ServerOptions

    @OptionGroup var output: ResultOutput

    func run() async throws {
        var problems: [JSONText] = []
        let report = try await options.withClient { client in
            try await client.verifyMedia(readsContent: read) { problem in
                // Millions of files may differ, so that text is printed at once.
                if output.json { problems.append(.string(problem)) } else { print(problem) }
            }
        }
        let fields: [JSONText.Field] = [
            ("fileCount", .integer(report.fileCount)), ("byteCount", .integer(report.byteCount)),
            ("problems", .array(problems)),
        ]
        print(output.json ? JSONText.object(fields).rendered : report.text)
        if report.problemCount > 0 { throw ExitCode.failure }
    }
}
