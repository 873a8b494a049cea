import APIContract
import APIDeclarations
import Catalogue
import JSONDocument
import LibraryDetails
import VideoClub
import Workflows

/// One title's row of an import.
struct InterchangeEntry: Sendable {
    /// The ID of the title; `nil` if the file names it.
    var id: String?
    /// The name of the file.
    var file: String?
    var details = DetailWishes()
    var terms = TermsChange()
    /// The fields of details that it has.
    private(set) var detailFields: [DetailField] = []

    /// Why a row cannot be used: a sentence without a full stop.
    struct Refusal: Error {
        var reason: String
    }

    /// The columns of a table, in the order of an export.
    static let columns = ["id", "file"] + DetailField.ofTitles.map(\.rawValue) + TermsChange.fields

    /// A value as JSON or a table has it.
    private enum Value {
        case json(JSONNode)
        /// Not empty.
        case cell(String)

        var isNull: Bool {
            if case .json(let node) = self { node.value == .null } else { false }
        }

        func wish(_ field: DetailField) throws(DetailError) -> DetailWishes.Wish {
            switch self {
            case .json(let node): isNull ? .reset : .set(try DetailValue(node, of: field))
            case .cell(let text): .set(try DetailValue(text, of: field))
            }
        }

        func integer(_ name: String) throws(Refusal) -> Int? {
            guard !isNull else { return nil }
            let integer: Int? =
                switch self {
                case .json(let node): node.integer
                case .cell(let text): Int(text)
                }
            guard let integer else { throw wrong(name, "a whole number") }
            return integer
        }

        func minutes(_ name: String) throws(Refusal) -> Duration? {
            guard let minutes = try integer(name) else { return nil }
            guard let time = TermsChange.time(minutes: minutes) else { throw wrong(name, "a number of minutes") }
            return time
        }

        func flag(_ name: String) throws(Refusal) -> Bool {
            switch self {
            case .json(let node): if let boolean = node.boolean { return boolean }
            case .cell(let text):
                switch text.lowercased() {
                case "true", "1", "yes": return true
                case "false", "0", "no": return false
                default: break
                }
            }
            throw wrong(name, "true or false")
        }

        func text(_ name: String) throws(Refusal) -> String? {
            guard !isNull else { return nil }
            switch self {
            case .json(let node):
                guard let text = node.string else { throw wrong(name, "text") }
                return text
            case .cell(let text): return text
            }
        }
    }

    /// Reads an object of JSON. A member that is null takes back what was chosen.
    init(_ node: JSONNode) throws(Refusal) {
        guard let members = node.members else { throw Refusal(reason: "an entry must be an object") }
        for member in members { try set(member.name, .json(member.value)) }
        try checkName()
    }

    /// Reads a row of a table. An empty cell changes nothing.
    ///
    /// - Parameter cells: the values by column.
    init(cells: [(column: String, text: String)]) throws(Refusal) {
        for cell in cells where !cell.text.isEmpty { try set(cell.column, .cell(cell.text)) }
        try checkName()
    }

    private mutating func set(_ name: String, _ value: Value) throws(Refusal) {
        if let field = DetailField(rawValue: name), DetailField.ofTitles.contains(field) {
            do {
                details[field] = try value.wish(field)
                detailFields.append(field)
            } catch {
                throw Refusal(reason: error.description)
            }
            return
        }
        switch name {
        case "id": id = try value.text(name)
        case "file": file = try value.text(name)
        case "price": terms.price = try value.integer(name).map { Int64($0) }
        case "regularPrice": terms.regularPrice = .some(try value.integer(name).map { Int64($0) })
        case "featured": terms.isFeatured = try value.flag(name)
        case "asksForFreeRental": terms.asksForFreeRental = try value.flag(name)
        case "minutesToStart": terms.timeToStart = .some(try value.minutes(name))
        case "minutesToPlay": terms.timeToPlay = .some(try value.minutes(name))
        case "trailer": terms.trailer = .some(try value.text(name))
        default:
            throw Refusal(
                reason: "there is no field \"\(name)\"; there are \(Self.columns.joined(separator: ", "))")
        }
    }

    private func checkName() throws(Refusal) {
        guard id == nil, file == nil else { return }
        throw Refusal(reason: "the entry needs `id` or `file` to identify its title")
    }

    private static func wrong(_ name: String, _ kind: String) -> Refusal {
        Refusal(reason: "`\(name)` must be \(kind)")
    }

    // MARK: Export

    /// A title and its terms as a row of a table, in the order of ``columns``.
    static func cells(_ title: TitleRecord, _ terms: TitleTerms) -> [String] {
        func minutes(_ time: Duration?) -> String { time.map { "\(APIResources.minutes($0))" } ?? "" }
        let details = DetailField.ofTitles.map { field in
            switch title.details[field] {
            case .text(let text): text
            case .number(let number): "\(number)"
            // The semicolon at the end says that a comma does not separate.
            case .texts(let texts):
                texts.joined(separator: "; ") + (texts.count == 1 && texts[0].contains(",") ? ";" : "")
            case nil: ""
            }
        }
        return [title.id, title.file] + details + [
            "\(terms.price)", terms.regularPrice.map { "\($0)" } ?? "", terms.isFeatured ? "true" : "false",
            terms.asksForFreeRental ? "true" : "false", minutes(terms.timeToStart), minutes(terms.timeToPlay),
            terms.trailer ?? "",
        ]
    }

    /// The same as an object of JSON.
    static func object(_ title: TitleRecord, _ terms: TitleTerms) -> APIObject<CatalogueEntryFields> {
        CatalogueEntryFields.object {
            let name: [JSONText.Field?] = [$0.id(title.id), $0.file(title.file)]
            return name + APIResources.fields(title.details, DetailField.ofTitles)
                + APIResources.members(of: APIResources.terms(terms))
        }
    }
}
