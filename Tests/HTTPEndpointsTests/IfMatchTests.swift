import HTTPTypes
import Hummingbird
import JSONDocument
import Testing

@testable import HTTPEndpoints

struct IfMatchTests {
    @Test(
        arguments: [
            ("\"7\"", ["7"]), ("\"7\", \"8\",\"9\"", ["7", "8", "9"]), ("W/\"7\", \"8\"", ["8"]), ("", []), ("7", []),
            ("\"7", []), ("\"7\" x \"8\"", ["7"]), ("\"a,b\"", ["a,b"]), (" , \"\" ,", [""]),
        ] as [(String, Set<String>)])
    func aListOfTagsIsRead(text: String, versions: Set<String>) throws {
        #expect(IfMatch(parsing: text) == .versions(versions))
        #expect(IfMatch(parsing: text).revisions == Set(versions.compactMap { Int64($0) }))
    }

    @Test(arguments: ["*", " * ", "\"7\", *"])
    func aStarIsForAnyVersion(text: String) throws {
        #expect(IfMatch(parsing: text) == .any && IfMatch(parsing: text).versions == nil)
        #expect(try IfMatch(parsing: text).admitted("7") == nil)
    }

    @Test func theNumberOfTagsIsLimited() {
        let text = (1...100).map { "\"\($0)\"" }.joined(separator: ",")
        #expect(IfMatch(parsing: text).versions?.count == IfMatch.maximumTagCount)
    }

    @Test func otherVersionsAreRefused() throws {
        #expect(try IfMatch(parsing: "\"6\", \"7\"").admitted("7") == "7")
        for text in ["\"6\"", "W/\"7\"", "7", ""] {
            let problem = #expect(throws: ProblemDetails.self) { try IfMatch(parsing: text).admitted("7") }
            #expect(problem?.status == .preconditionFailed, "\(text)")
        }
    }

    @Test func theTagOfAResourceChangesWithIt() {
        let (one, other) = (JSONText.object([("a", .integer(1))]), JSONText.object([("a", .integer(2))]))
        #expect(EntityTag(of: one) == EntityTag(of: one) && EntityTag(of: one) != EntityTag(of: other))
        #expect(EntityTag(of: one).field.wholeMatch(of: /"[0-9a-f]{24}"/) != nil)
        #expect(EntityTag(Int64(7)).field == "\"7\"")
    }
}
