import MediaCore
import Testing

@testable import MediaStorage

/// The vectors named "AWS" are those of AWS's documentation ("Signature calculations for the Authorization header" and
/// `get-vanilla` of its test suite); `Tests/Support/make-signature-vectors.py` computes the others.
struct RequestSignatureTests {
    private static let example = StoreCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    /// 2013-05-24T00:00:00Z
    private static let time = WallClockTime(secondsSince1970: 1_369_353_600)
    private static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private func signature(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)], hash: String = emptyHash, region: String = "us-east-1"
    ) -> RequestSignature {
        RequestSignature(
            method: method, path: path, query: query,
            headers: headers + [("x-amz-content-sha256", hash), ("x-amz-date", Self.time.compactText)],
            payloadHash: hash, time: Self.time, region: region)
    }

    private static let host = (name: "host", value: "examplebucket.s3.amazonaws.com")

    @Test func signsARangedGetAsAWSDocuments() {
        let signature = signature("GET", "/test.txt", headers: [Self.host, ("range", "bytes=0-9")])
        #expect(
            signature.authorization(Self.example) == """
                AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
                SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, \
                Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
                """)
    }

    @Test func signsAPutAsAWSDocuments() {
        let hash = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        let signature = signature(
            "PUT", "/\(URIEncoding.encoded("test$file.text", keepsSlashes: true))",
            headers: [
                Self.host, ("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], hash: hash)
        #expect(
            signature.authorization(Self.example).hasSuffix(
                "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
    }

    @Test func signsQueriesAsAWSDocuments() {
        let lifecycle = signature("GET", "/", query: [("lifecycle", "")], headers: [Self.host])
        #expect(
            lifecycle.authorization(Self.example).hasSuffix(
                "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
        let list = signature("GET", "/", query: [("prefix", "J"), ("max-keys", "2")], headers: [Self.host])
        #expect(
            list.authorization(Self.example).hasSuffix(
                "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
    }

    @Test func signsTheVanillaRequestOfAWSsTestSuite() {
        let time = WallClockTime(secondsSince1970: 1_440_938_160)
        let signature = RequestSignature(
            method: "GET", path: "/",
            headers: [("x-amz-date", time.compactText), ("host", "example.amazonaws.com")],
            payloadHash: RequestSignature.emptyPayloadHash, time: time, region: "us-east-1", service: "service")
        let credentials = StoreCredentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        #expect(
            signature.authorization(credentials) == """
                AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
                SignedHeaders=host;x-amz-date, \
                Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31
                """)
    }

    @Test func signsAPartWithASessionTokenAsBotocoreDoes() {
        let hash = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"
        let path = "/media/" + URIEncoding.encoded("películas/año 1+2.mp4", keepsSlashes: true)
        let signature = signature(
            "PUT", path, query: [("uploadId", "a/b=="), ("partNumber", "10")],
            headers: [
                ("host", "127.0.0.1:9000"), ("content-md5", "XrY7u+Ae7tCTyyK7j1rNww=="),
                ("x-amz-security-token", "token/with+signs=="),
            ], hash: hash, region: "auto")
        #expect(path == "/media/pel%C3%ADculas/a%C3%B1o%201%2B2.mp4")
        #expect(signature.canonicalQuery == "partNumber=10&uploadId=a%2Fb%3D%3D")
        #expect(
            signature.authorization(Self.example).hasSuffix(
                "Signature=f2901ca041a6e507741517457f3b4cc50ce8cbf41bfadcf47751413472408608"))
    }

    @Test func credentialsShowNoSecrets() {
        let credentials = StoreCredentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "top-secret", sessionToken: "top-secret-token")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
            #expect(!text.contains("top-secret") && !text.contains("AKIDEXAMPLE"), "\(text)")
        }
    }
}
