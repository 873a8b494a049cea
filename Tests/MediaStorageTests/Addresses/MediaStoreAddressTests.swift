import MediaStorage
import Testing

struct MediaStoreAddressTests {
    @Test(arguments: [
        ("/srv/media", "/srv/media"), ("/srv//media/", "/srv/media"), ("file:///srv/my%20media", "/srv/my media"),
        ("file://localhost/srv", "/srv"),
    ])
    func namesAFolder(text: String, path: String) throws {
        #expect(try MediaStoreAddress(parsing: text, environment: [:]) == .folder(path))
    }

    @Test func namesAnObjectStore() throws {
        let text = "s3://media/?endpoint=https://s3.example.org&region=auto&style=path"
        let address = try MediaStoreAddress(parsing: text, environment: [:])
        #expect(address == .objectStore(try ObjectStoreAddress(parsing: text, environment: [:])))
        #expect(address.description == text)
    }

    @Test(arguments: ["media", "file://server/media", "/srv/../etc", "gs://media", "", "file:///a%00b"])
    func refusesWhatIsNeither(text: String) {
        #expect(throws: MediaStorageError.self) { try MediaStoreAddress(parsing: text, environment: [:]) }
    }
}
