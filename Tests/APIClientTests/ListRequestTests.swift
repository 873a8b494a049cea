import Testing

@testable import APIClient

struct ListRequestTests {
    /// The kind was left out once.
    @Test func everyChoiceIsSent() {
        let request = ServerClient.ListRequest(
            words: "a b", order: "newest", state: "ready", section: "new", genre: "Drama", kind: "film")
        let sent = request.query.map { "\($0.name)=\($0.value ?? "")" }
        #expect(sent == ["q=a b", "sort=newest", "state=ready", "section=new", "genre=Drama", "kind=film"])
    }
}
