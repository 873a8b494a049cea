import MediaStorage
import Testing

struct ObjectStoreAddressTests {
    private func parse(_ text: String, _ environment: [String: String] = [:]) throws -> ObjectStoreAddress {
        try ObjectStoreAddress(parsing: text, environment: environment)
    }

    @Test(arguments: [
        (
            "s3://media/library?endpoint=https://s3.example.org:9000/",
            "s3://media/library/?endpoint=https://s3.example.org:9000&region=auto&style=path"
        ),
        (
            "s3://media?endpoint=http://127.0.0.1:9000&region=garage&style=virtual",
            "s3://media/?endpoint=http://127.0.0.1:9000&region=garage&style=virtual"
        ),
        (
            "s3://media/a/b/?endpoint=https%3A%2F%2Fs3.example.org%3A443%2Fstorage%2Fv1%2Fs3",
            "s3://media/a/b/?endpoint=https://s3.example.org/storage/v1/s3&region=auto&style=path"
        ),
        ("s3://media", "s3://media/?endpoint=https://s3.us-east-1.amazonaws.com&region=us-east-1&style=virtual"),
        (
            "s3://media.example.org?region=eu-south-2",
            "s3://media.example.org/?endpoint=https://s3.eu-south-2.amazonaws.com&region=eu-south-2&style=path"
        ),
        (
            "s3://media/?region=cn-north-1",
            "s3://media/?endpoint=https://s3.cn-north-1.amazonaws.com.cn&region=cn-north-1&style=virtual"
        ),
    ])
    func fillsInWhatIsNotGiven(text: String, description: String) throws {
        #expect(try parse(text).description == description)
        // The description is an address again.
        #expect(try parse(description).description == description)
    }

    @Test func takesTheRegionOfAWSFromTheEnvironment() throws {
        #expect(try parse("s3://media", ["AWS_DEFAULT_REGION": "eu-west-1"]).region == "eu-west-1")
        #expect(
            try parse("s3://media", ["AWS_REGION": "eu-west-3", "AWS_DEFAULT_REGION": "eu-west-1"]).region
                == "eu-west-3")
        #expect(
            try parse("s3://media?endpoint=https://s3.example.org", ["AWS_REGION": "eu-west-3"]).region == "auto")
    }

    @Test(arguments: [
        ("https://media", "must begin with s3://"),
        ("s3://", "needs the name of a bucket"),
        ("s3://a..b", "needs the name of a bucket"),
        ("s3://AKIA:top-secret@media", "must not contain credentials"),
        ("s3://media/../x", "has a prefix that contains the name `..`"),
        ("s3://media/%zz", "malformed percent escape"),
        ("s3://media?endpoint=https://user:top-secret@s3.example.org", "with credentials"),
        ("s3://media?endpoint=ftp://s3.example.org", "needs an `endpoint` such as"),
        ("s3://media?endpoint=s3.example.org", "needs an `endpoint` such as"),
        ("s3://media?regoin=eu-west-1", "unknown parameter `regoin`; did you mean `region`?"),
        ("s3://media?region=a&region=b", "has `region` twice"),
        ("s3://media?region=", "has no value for `region`"),
        ("s3://media?region=eu/west", "`region` that is not made of"),
        ("s3://media?region=auto", "needs `endpoint`"),
        ("s3://media?style=host", "neither `path` nor `virtual`"),
        ("s3://media?endpoint=https://s3.example.org/base&style=virtual", "needs `style=path`"),
    ])
    func refusesWrongAddresses(text: String, reason: String) throws {
        let error = try #require(throws: MediaStorageError.self) { try parse(text) }
        #expect(error.code == .invalidAddress)
        #expect(error.description.contains(reason), "\(error)")
        #expect(!error.description.contains("top-secret"))
    }
}
