import APIClient
import ArgumentParser
import Foundation

/// `antena score results`.
struct ScoreResults: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Print results, or write them to a file.",
        discussion: "The winner of each match comes first. A PDF file has the newest 10,000.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case txt, csv, pdf
    }

    @OptionGroup var options: ServerOptions
    @OptionGroup var filter: ResultFilterOptions

    @Option(help: "txt, csv or pdf.")
    var format = Format.txt

    @Option(help: "The file to write. (default: standard output)", completion: .file())
    var output: String?

    func validate() throws {
        if format == .pdf, output == nil, isatty(STDOUT_FILENO) == 1 {
            throw ValidationError("A PDF file cannot be shown here; name a file with --output.")
        }
    }

    func run() async throws {
        try await options.withClient { client in
            guard let output else {
                return try await client.results(filter.filter, format: format.rawValue) {
                    try FileHandle.standardOutput.write(contentsOf: Data($0))
                }
            }
            try await client.results(filter.filter, format: format.rawValue, to: output)
        }
    }
}
