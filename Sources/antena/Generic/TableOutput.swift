import APIContract
import ArgumentParser
import JSONDocument

/// How a command prints a list: as a table, or as JSON.
struct TableOutput: ParsableArguments {
    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func show<Item: ListedItem>(_ items: [Item], _ table: ([Item]) -> String) {
        print(json ? JSONText.array(items.map(\.json)).rendered : table(items))
    }

    /// Prints a collection and what is in it.
    ///
    /// - Parameters:
    ///   - heading: the heading above the table.
    ///   - name: the name of the member of the JSON that has the items.
    func show<Fields: ObjectFields>(
        _ collection: APIObject<some ObjectFields>, heading: String, _ name: String, _ items: [APIObject<Fields>],
        _ table: ([APIObject<Fields>]) -> String
    ) {
        guard !json else {
            var members = collection.json
            members[name] = items.json
            return print(members.rendered)
        }
        print(heading)
        print(table(items))
    }
}
