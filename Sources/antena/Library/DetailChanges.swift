import APIClient
import ArgumentParser
import JSONDocument

/// Options that titles and tracks have in common for a change of their details.
struct DetailChanges: ParsableArguments {
    @Option(name: .customLong("title"), help: "The display name.")
    var name: String?

    @Option(help: "A description.")
    var description: String?

    @Option(help: "The year.")
    var year: Int?

    @Option(help: "A genre; may be repeated, and replaces all.")
    var genre: [String] = []

    @Option(help: "An address that begins with https:// or http://.")
    var website: String?

    @Option(
        help: ArgumentHelp(
            "A field to reset to the file's own value; may be repeated.",
            valueName: "field"))
    var reset: [String] = []

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    /// The options whose fields have other names.
    private static let fieldsOfOptions = [
        "genre": "genres", "actor": "cast", "age-rating": "ageRating", "track-number": "trackNumber",
    ]

    /// The body of the request.
    ///
    /// - Parameter others: the fields that titles and tracks do not have in common.
    /// - Throws: `ValidationError` if nothing is to be changed, or a field twice.
    func json(_ others: [JSONText.Field]) throws -> JSONText {
        var fields: [JSONText.Field] = []
        if let name { fields.append(("title", .string(name))) }
        if let description { fields.append(("description", .string(description))) }
        if let year { fields.append(("year", .integer(year))) }
        if !genre.isEmpty { fields.append(("genres", .array(genre.map(JSONText.string)))) }
        if let website { fields.append(("website", .string(website))) }
        fields += others
        for field in reset.map({ Self.fieldsOfOptions[$0] ?? $0 }) {
            guard !fields.contains(where: { $0.name == field }) else {
                throw ValidationError("--reset \(field) cannot be combined with a value for it.")
            }
            fields.append((field, .null))
        }
        guard !fields.isEmpty else { throw ValidationError("No change given; --help lists the options.") }
        return .object(fields)
    }

    /// Changes an item's details, and prints them.
    func send<Kind: ItemKind>(
        _ body: JSONText, to name: String, _ kind: Kind.Type, _ options: ServerOptions
    ) async throws {
        let details = try await options.withClient { client in
            try await client.changeDetails(of: try await Kind.id(of: name, client), in: Kind.section, body)
        }
        print(json ? JSONText(details).rendered : DetailTables.details(details))
    }
}
