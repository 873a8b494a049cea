import ArgumentParser
import Doctor
import Foundation
import Gateway

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what a server needs on this machine, and say what to do.",
        discussion: """
            Takes the options and environment variables of `antena serve`. Changes nothing, and connects to nothing \
            but the configured database; the server may be running. The exit status is 1 if there is a problem.
            """)

    @OptionGroup var options: ServeOptions

    @Option(
        help: ArgumentHelp(
            "A configuration of nginx that keeps copies of media, to be checked as well; several can be named.",
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
