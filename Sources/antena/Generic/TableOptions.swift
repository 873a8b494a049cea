import ArgumentParser
import JSONDocument

/// Options of the commands that print a list as a table.
struct TableOptions: ParsableArguments {
    @OptionGroup var length: LimitOption

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    var limit: Int { length.limit }

    func show(_ items: [JSONNode], _ table: ([JSONNode]) -> String) {
        print(json ? JSONText.array(items.map(JSONText.init)).rendered : table(items))
    }

    /// Prints a collection and what is in it.
    func show(_ collection: JSONNode, _ name: String, _ items: [JSONNode], _ table: ([JSONNode]) -> String) {
        guard !json else {
            let members = (collection.members ?? []).map { ($0.name, JSONText($0.value)) }
            return print(JSONText.object(members + [(name, .array(items.map(JSONText.init)))]).rendered)
        }
        print(collection["name"]?.string ?? "")
        print(table(items))
    }
}
