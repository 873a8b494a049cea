import APIClient
import ArgumentParser
import CSVDocument
import JSONDocument

/// `antena title export`.
struct ExportTitles: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print what is written about all titles, and their terms, as a table.",
        discussion: "Change the table with any program, and give it back with `antena title import`.")

    @OptionGroup var options: ServerOptions

    @Flag(help: "Print JSON instead of comma-separated values.")
    var json = false

    func run() async throws {
        let items = try await options.withClient { try await $0.catalogue() }
        if json {
            print(JSONText.object([("items", .array(items.map(JSONText.init)))]).rendered)
        } else {
            print(Self.table(items), terminator: "")
        }
    }

    private static func table(_ items: [JSONNode]) -> String {
        guard let columns = items.first?.members?.map(\.name) else { return "" }
        return ([CSVRow.text(columns)] + items.map { item in CSVRow.text(columns.map { cell(item[$0]) }) }).joined()
    }

    private static func cell(_ value: JSONNode?) -> String {
        guard let value, value.value != .null else { return "" }
        if let texts = value.elements?.compactMap(\.string) {
            // The semicolon at the end says that a comma does not separate.
            return texts.joined(separator: "; ") + (texts.count == 1 && texts[0].contains(",") ? ";" : "")
        }
        return value.string ?? JSONText(value).rendered
    }
}
