import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import CSVDocument
import Foundation
import JSONDocument

/// `antena title import`.
struct ImportTitles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Change the details and terms of titles from a table.",
        discussion: """
            The table has comma-separated values with a header, or is JSON, as `antena title export` prints it. Each row \
            names its title by id, or by file. What it says differently is changed; an empty cell and a column that is \
            not there change nothing.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(help: "Only print the changes, without making them.")
    var trial = false

    @Flag(help: "Print JSON instead of sentences.")
    var json = false

    @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["csv", "json"]))
    var file: String

    /// Rows that are sent at once.
    private static let batchSize = 500
    /// Limit of the rows of a file.
    private static let maximumRowCount = 1_000_000

    func run() async throws {
        let bytes = try Self.read(file)
        let parts = try Self.parts(bytes)
        var (read, changed) = (0, 0)
        var problems: [(place: String, reason: String)] = []
        for part in parts {
            let report = try await options.withClient { try await $0.changeCatalogue(part.body, isTrial: trial) }
            read += report.read ?? 0
            changed += report.changed ?? 0
            for problem in report.problems ?? [] {
                let entry = problem.entry ?? 1
                let place = part.places.indices.contains(entry - 1) ? part.places[entry - 1] : "entry \(entry)"
                problems.append((place, problem.problem ?? ""))
            }
        }
        if json {
            let list = problems.map { problem -> JSONText in
                .object([("place", .string(problem.place)), ("problem", .string(problem.reason))])
            }
            let report: [JSONText.Field] = [
                ("read", .integer(read)), ("changed", .integer(changed)), ("problems", .array(list)),
            ]
            print(JSONText.object(report).rendered)
        } else {
            for problem in problems { print("\(problem.place): \(problem.reason)") }
            print("\(read) titles read, \(changed) \(trial ? "would change" : "changed"), \(problems.count) rejected")
        }
        if !problems.isEmpty { throw ExitCode.failure }
    }

    /// A request of an import, and how its entries are called in the file.
    private struct Part {
        var body: ServerClient.CatalogueChange
        var places: [String]
    }

    /// The bytes of a file, or of standard input for `-`.
    static func read(_ file: String) throws -> [UInt8] {
        do {
            let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
            guard let handle else { throw ValidationError("\(file) cannot be read.") }
            return Array(try handle.readToEnd() ?? Data())
        } catch let error as CocoaError {
            throw ValidationError("\(file) cannot be read: \(error.localizedDescription)")
        }
    }

    private static func parts(_ bytes: [UInt8]) throws -> [Part] {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return try partsOfList(bytes) }
        do {
            let rows = try CSVReader(maximumRowCount: maximumRowCount, maximumFieldCount: 100).rows(bytes)
            guard let header = rows.first else { throw ValidationError("The table is empty.") }
            return batches(Array(rows.dropFirst())).map { batch in
                let table = CSVRow.text(header.fields) + batch.map { CSVRow.text($0.fields) }.joined()
                return Part(body: .table(table), places: batch.map { "line \($0.line)" })
            }
        } catch let error as CSVReader.Failure {
            throw ValidationError("The table cannot be read: \(error).")
        }
    }

    private static func partsOfList(_ bytes: [UInt8]) throws -> [Part] {
        do {
            let node = try JSONParser.parse(bytes)
            guard let items = node["items"]?.elements ?? node.elements else {
                throw ValidationError("The file must be {\"items\": […]}, as `antena title export --json` prints it.")
            }
            return batches(Array(items.enumerated())).map { batch in
                Part(
                    body: .items(batch.map { JSONText($0.element) }),
                    places: batch.map { "entry \($0.offset + 1)" })
            }
        } catch let error as JSONParsingError {
            throw ValidationError("The file is not JSON: \(error).")
        }
    }

    private static func batches<Element>(_ elements: [Element]) -> [[Element]] {
        stride(from: 0, to: elements.count, by: batchSize).map {
            Array(elements[$0..<min($0 + batchSize, elements.count)])
        }
    }
}
