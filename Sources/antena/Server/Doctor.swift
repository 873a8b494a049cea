import ArgumentParser
import Doctor
import Foundation
import Gateway

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check whether this machine is ready for a server, and suggest fixes.",
        discussion: """
            Takes the options and environment variables of `antena serve`. Changes nothing, and connects to nothing \
            but the configured database; the server may be running. The exit status is 1 if there is a problem.
            """)

    @OptionGroup var options: ServeOptions

    @Option(
        help: ArgumentHelp(
            "An nginx configuration of an edge cache to check as well; may be repeated.",
            valueName: "file"))
    var nginx: [String] = []

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() async throws {
        let examination = ServerExamination(
            flags: options.flags, environment: ProcessInfo.processInfo.environment, edgeFiles: nginx)
        let report = await examination.run()
        print(json ? report.json : report.text)
        if report.hasProblems { throw ExitCode.failure }
    }
}
