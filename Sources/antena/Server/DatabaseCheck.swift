import ArgumentParser
import Database
import Foundation
import Gateway
import JSONDocument
import ServerSettings

struct DatabaseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Show a database's version, migrations, tables, indexes and sizes.",
        discussion: "The exit status is 1 if something is wrong. The server may be running.")

    @Option(
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgres://USER@HOST/NAME. (default: the data folder's)", valueName: "url"))
    var database: String?

    @Option(help: ArgumentHelp("The server's data folder. (default: data)", valueName: "dir"), completion: .directory)
    var data: String?

    @Flag(help: "Check every page of an SQLite file, which takes long for a large one.")
    var integrity = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() async throws {
        let report: DatabaseReport
        do {
            let configuration = try ServerConfiguration(
                flags: [.data: data, .database: database].compactMapValues(\.self),
                environment: ProcessInfo.processInfo.environment)
            report = try await DatabaseMaintenance.report(
                of: DatabaseMaintenance.address(configuration), checksIntegrity: integrity)
        } catch let error as any CustomStringConvertible & Error {
            throw CommandFailure(error.description)
        }
        print(json ? report.json.rendered : report.text)
        if !report.problems.isEmpty { throw ExitCode.failure }
    }
}
