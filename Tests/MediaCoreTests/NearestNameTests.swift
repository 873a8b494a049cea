import Testing

@testable import MediaCore

struct NearestNameTests {
    private let channels = ["canalA", "canalB", "Radio-1", "sala_2"]

    @Test(arguments: [
        ("canala", "canalA"), ("CANALB", "canalB"), ("cnalB", "canalB"), ("canlaB", "canalB"), ("radio1", "Radio-1"),
        ("sala2", "sala_2"), ("canalA.stream", "canalA"), ("sal", "sala_2"),
    ])
    func findsWhatWasMeant(name: String, expected: String) {
        #expect(NearestName.suggestion(for: name, among: channels) == expected)
    }

    @Test(arguments: ["", "x", "deportes", String(repeating: "canalA", count: 1_000)])
    func saysNothingOfWhatIsNotLikeAny(name: String) {
        #expect(NearestName.suggestion(for: name, among: channels) == nil)
    }

    @Test func thereMayBeNone() { #expect(NearestName.suggestion(for: "canalA", among: []) == nil) }
}
