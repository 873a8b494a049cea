/// The data that an import stores besides its bytes, so that it can be resumed after a crash.
struct ImportNote: Codable {
    var name: String
    var validator: String?
}
