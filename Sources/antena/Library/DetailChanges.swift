import APIClient
import APIContract
import APIDeclarations
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
    /// - Parameter others: makes the members for the fields that titles and tracks do not have in common; those that
    ///   are `nil` are left out.
    /// - Throws: `ValidationError` if nothing is to be changed, or a field twice.
    func request<Change: ObjectFields>(_ others: (Change) -> [JSONText.Field?]) throws -> APIObject<Change> {
        // Those of tracks have the same names.
        let common = TitleDetailsChangeFields.fields
        let members: [JSONText.Field?] = [
            name.map { common.title($0) }, description.map { common.description($0) }, year.map { common.year($0) },
            genre.isEmpty ? nil : common.genres(genre), website.map { common.website($0) },
        ]
        var fields = (members + others(Change.fields)).compactMap(\.self)
        for field in reset.map({ Self.fieldsOfOptions[$0] ?? $0 }) {
            guard !fields.contains(where: { $0.name == field }) else {
                throw ValidationError("--reset \(field) cannot be combined with a value for it.")
            }
            fields.append((field, .null))
        }
        guard !fields.isEmpty else { throw ValidationError("No change given; --help lists the options.") }
        return Change.request { _ in fields }
    }

    /// Changes an item's details, and prints them.
    func send<Kind: ItemKind>(
        _ change: APIObject<Kind.Change>, to name: String, _ kind: Kind.Type, _ options: ServerOptions
    ) async throws {
        let details = try await options.withClient { client in
            try await Kind.changeDetails(of: try await Kind.id(of: name, client), change, client)
        }
        print(json ? details.json.rendered : DetailTables.details(details))
    }
}
