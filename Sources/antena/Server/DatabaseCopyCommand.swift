import ArgumentParser
import Database
import Foundation
import Gateway
import JSONDocument

struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy everything from one database into another, and verify it.",
        discussion: """
            Stop every server that uses them first. The target must be new; an interrupted copy resumes where \
            it stopped. Start the server with --database TARGET afterwards.
            """)

    @Option(help: ArgumentHelp("The database to copy: sqlite:PATH or postgres://USER@HOST/NAME.", valueName: "url"))
    var from: String

    @Option(help: ArgumentHelp("The database to copy into.", valueName: "url"))
    var to: String

    @Flag(help: "Print JSON instead of text.")
    var json = false

    func run() async throws {
        do {
            let tables = try await DatabaseMaintenance.copy(
                from: try DatabaseAddress(parsing: from), to: try DatabaseAddress(parsing: to)
            ) { progress in
                FileHandle.standardError.write(
                    Data("\(progress.table): \(progress.copiedCount) of \(progress.totalCount) rows\n".utf8))
            }
            guard !json else {
                let list = tables.map { table -> JSONText in
                    .object([
                        ("table", .string(table.name)), ("rowCount", .integer(Int(table.rowCount))),
                        ("sha256", .string(table.checksum)),
                    ])
                }
                return print(JSONText.array(list).rendered)
            }
            for table in tables {
                print("\(table.name): \(table.rowCount) rows, verified (SHA-256 \(table.checksum.prefix(16))…)")
            }
        } catch let error as any CustomStringConvertible & Error {
            throw CommandFailure(error.description)
        }
    }
}
