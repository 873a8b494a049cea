import Catalogue
import JSONDocument
import LibraryDetails
import VideoClub

/// What a row of an import says about one title.
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

    /// Reads an object of JSON. A member that is null takes back what was chosen.
    init(_ node: JSONNode) throws(Refusal) {
        guard let members = node.members else { throw Refusal(reason: "an entry must be an object") }
        for member in members {
            let value = member.value
            if let field = DetailField(rawValue: member.name), DetailField.ofTitles.contains(field) {
                try set(field) { () throws(DetailError) in
                    value.value == .null ? .reset : .set(try DetailValue(value, of: field))
                }
                continue
            }
            let isNull = value.value == .null
            func integer() throws(Refusal) -> Int? {
                guard !isNull else { return nil }
                guard let integer = value.integer else { throw Self.wrong(member.name, "a whole number") }
                return integer
            }
            func flag() throws(Refusal) -> Bool {
                guard let boolean = value.boolean else { throw Self.wrong(member.name, "true or false") }
                return boolean
            }
            func text() throws(Refusal) -> String? {
                guard !isNull else { return nil }
                guard let text = value.string else { throw Self.wrong(member.name, "text") }
                return text
            }
            switch member.name {
            case "id": id = try text()
            case "file": file = try text()
            case "price": terms.price = try integer().map { Int64($0) }
            case "regularPrice": terms.regularPrice = .some(try integer().map { Int64($0) })
            case "featured": terms.isFeatured = try flag()
            case "asksForFreeRental": terms.asksForFreeRental = try flag()
            case "minutesToStart": terms.timeToStart = .some(try Self.time(try integer(), member.name))
            case "minutesToPlay": terms.timeToPlay = .some(try Self.time(try integer(), member.name))
            case "trailer": terms.trailer = .some(try text())
            default: throw Self.unknown(member.name)
            }
        }
        guard id != nil || file != nil else { throw Self.nameless }
    }

    /// Reads a row of a table. An empty cell changes nothing.
    ///
    /// - Parameter cells: the values by column.
    init(cells: [(column: String, text: String)]) throws(Refusal) {
        for (column, text) in cells where !text.isEmpty {
            if let field = DetailField(rawValue: column), DetailField.ofTitles.contains(field) {
                try set(field) { () throws(DetailError) in .set(try DetailValue(text, of: field)) }
                continue
            }
            func integer() throws(Refusal) -> Int {
                guard let integer = Int(text) else { throw Self.wrong(column, "a whole number") }
                return integer
            }
            func flag() throws(Refusal) -> Bool {
                switch text.lowercased() {
                case "true", "1", "yes": return true
                case "false", "0", "no": return false
                default: throw Self.wrong(column, "true or false")
                }
            }
            switch column {
            case "id": id = text
            case "file": file = text
            case "price": terms.price = Int64(try integer())
            case "regularPrice": terms.regularPrice = .some(Int64(try integer()))
            case "featured": terms.isFeatured = try flag()
            case "asksForFreeRental": terms.asksForFreeRental = try flag()
            case "minutesToStart": terms.timeToStart = .some(try Self.time(try integer(), column))
            case "minutesToPlay": terms.timeToPlay = .some(try Self.time(try integer(), column))
            case "trailer": terms.trailer = .some(text)
            default: throw Self.unknown(column)
            }
        }
        guard id != nil || file != nil else { throw Self.nameless }
    }

    private mutating func set(
        _ field: DetailField, _ wish: () throws(DetailError) -> DetailWishes.Wish
    ) throws(Refusal) {
        do {
            details[field] = try wish()
            detailFields.append(field)
        } catch {
            throw Refusal(reason: error.description)
        }
    }

    private static func time(_ minutes: Int?, _ name: String) throws(Refusal) -> Duration? {
        guard let minutes else { return nil }
        guard let time = TermsChange.time(minutes: minutes) else { throw wrong(name, "a number of minutes") }
        return time
    }

    private static func wrong(_ name: String, _ kind: String) -> Refusal {
        Refusal(reason: "`\(name)` must be \(kind)")
    }

    private static func unknown(_ name: String) -> Refusal {
        Refusal(reason: "there is no field \"\(name)\"; there are \(columns.joined(separator: ", "))")
    }

    private static let nameless = Refusal(
        reason: "the entry needs `id` or `file`, so that it is known which title is meant")

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
    static func json(_ title: TitleRecord, _ terms: TitleTerms) -> JSONText {
        let details = DetailField.ofTitles.map { field -> JSONText.Field in
            (field.rawValue, title.details[field]?.json ?? .null)
        }
        guard case .members(let members) = APIResources.terms(terms) else { return .null }
        return .object(
            [("id", .string(title.id)), ("file", .string(title.file))] + details
                + members.map { ($0.name, $0.value) })
    }
}
