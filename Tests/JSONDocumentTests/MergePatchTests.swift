import Testing

@testable import JSONDocument

struct MergePatchTests {
    private func json(_ text: String) throws -> JSONText { JSONText(try JSONParser.parse(text.utf8)) }

    /// A patch that is applied makes the new document, and says nothing about what is the same.
    @Test(arguments: [
        (#"{"a": 1, "b": {"c": 2, "d": [1]}}"#, #"{"a": 1, "b": {"c": 3, "d": [1]}}"#, #"{"b":{"c":3}}"#),
        (#"{"a": 1, "b": 2}"#, #"{"b": 2, "e": {}}"#, #"{"a":null,"e":{}}"#),
        (#"{"a": [1, 2]}"#, #"{"a": [2]}"#, #"{"a":[2]}"#), (#"{"a": {}}"#, #"{"a": {}}"#, "{}"),
        (#"{"a": {"b": 1}}"#, #"{"a": 7}"#, #"{"a":7}"#), ("{}", "{}", "{}"), ("1", "[2]", "[2]"),
    ])
    func aPatchLeadsToTheNewDocument(_ old: String, _ new: String, _ patch: String) throws {
        let found = try json(old).mergePatch(to: try json(new))
        #expect(found.rendered == patch)
        let wanted = try json(new)
        #expect(try json(old).merged(with: found) == wanted)
    }
}
