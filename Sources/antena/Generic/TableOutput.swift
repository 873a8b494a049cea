import ArgumentParser
import JSONDocument

/// How a command prints a list: as a table, or as JSON.
struct TableOutput: ParsableArguments {
    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func show(_ items: [JSONNode], _ table: ([JSONNode]) -> String) {
        print(json ? Self.list(items).rendered : table(items))
    }

    /// Prints a collection and what is in it.
    func show(_ collection: JSONNode, _ name: String, _ items: [JSONNode], _ table: ([JSONNode]) -> String) {
        guard !json else {
            let members = (collection.members ?? []).map { ($0.name, JSONText($0.value)) }
            return print(JSONText.object(members + [(name, Self.list(items))]).rendered)
        }
        print(collection["name"]?.string ?? "")
        print(table(items))
    }

    private static func list(_ items: [JSONNode]) -> JSONText { .array(items.map(JSONText.init)) }
}
