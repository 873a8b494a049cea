import TestSupport
import Testing

@testable import XMLDocument

struct XMLReaderTests {
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a comment -->
        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
          <IsTruncated>true</IsTruncated><Prefix/>
          <Contents><Key>a &amp; b&#x20;&#241;.mp4</Key><Size>7</Size><ETag>&quot;ab&quot;</ETag></Contents>
          <s3:Contents><Key><![CDATA[<c>]]></Key><Owner id='1' name="x"><ID>7</ID></Owner></s3:Contents>
        </ListBucketResult>

        """

    @Test func readsWhatStoresSend() throws {
        let root = try XMLReader.read(Array(Self.list.utf8))
        #expect(root.name == "ListBucketResult")
        #expect(root["IsTruncated"] == "true")
        #expect(root["Prefix"] == "")
        #expect(root["Marker"] == nil)
        let contents = root.children(named: "Contents")
        #expect(contents.map { $0["Key"] } == ["a & b ñ.mp4", "<c>"])
        #expect(contents[0]["ETag"] == "\"ab\"")
        #expect(contents[1].children(named: "Owner").first?["ID"] == "7")
    }

    @Test func keepsAttributesForThoseWhoAskForThem() throws {
        let text = #"<gpx xmlns='u' x:lat="9"><trkpt lat="1 &amp; 2" x:lat="3" lon='&#x2d;4'/></gpx>"#
        let root = try XMLReader.read(Array(text.utf8), keepsAttributes: true)
        #expect(root.children.first?.attributes == ["lat": "1 & 2", "lon": "-4"])
        #expect(root.attributes == ["xmlns": "u", "lat": "9"])
        #expect(try XMLReader.read(Array(text.utf8)).children.first?.attributes == [:])
        for wrong in ["<a b=\"&no;\"/>", "<a b=\"&#0xD800;\"/>", "<a b=\"&\"/>"] {
            #expect(throws: XMLReader.Failure.self) {
                try XMLReader.read(Array(wrong.utf8), keepsAttributes: true)
            }
        }
        #expect(throws: XMLReader.Failure.self) {
            try XMLReader.read([0x3C, 0x61, 0x20, 0x62, 0x3D, 0x22, 0xFF, 0x22, 0x2F, 0x3E], keepsAttributes: true)
        }
        #expect(throws: XMLReader.Failure.self) {
            try XMLReader.read(Array("<a><b/><b/></a>".utf8), maximumElementCount: 2)
        }
    }

    @Test(arguments: [
        "", "   ", "text", "<a>", "<a></b>", "<a/><b/>", "<a>&unknown;</a>", "<a>&#xD800;</a>", "<a>&#x+1;</a>",
        "<a>&amp</a>", "<a b></a>", "<a b=c></a>", "<a b=\"<\"></a>", "<a><!-- </a>", "<a><![CDATA[</a>", "< a/>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><!ENTITY b></a>", "<a></a>text", "<?xml",
        "<a>&#99999999;</a>",
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        "<a>" + String(repeating: "<b/>", count: XMLReader.maximumElementCount) + "</a>",
    ])
    func refusesEverythingElse(document: String) {
        #expect(throws: XMLReader.Failure.self) { try XMLReader.read(Array(document.utf8)) }
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(throws: XMLReader.Failure.self) { try XMLReader.read(Array("<a>".utf8) + [0xC3] + Array("</a>".utf8)) }
    }

    @Test func refusesLargeDocuments() {
        let document = "<a>" + String(repeating: "x", count: XMLReader.maximumByteCount) + "</a>"
        #expect(throws: XMLReader.Failure.self) { try XMLReader.read(Array(document.utf8)) }
    }

    /// Neither traps nor hangs; most of these are refused.
    @Test func survivesDamagedDocuments() {
        var random = SeededGenerator(seed: 7)
        let intact = Array(Self.list.utf8)
        var refusedCount = 0
        for _ in 0..<2_000 {
            var damaged = intact
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: damaged.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[position] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged.remove(at: position)
                default: damaged.insert(intact[Int.random(in: intact.indices, using: &random)], at: position)
                }
            }
            if (try? XMLReader.read(damaged)) == nil { refusedCount += 1 }
        }
        #expect(refusedCount > 500)
    }

    @Test func theEncodingOfADeclarationIsRead() throws {
        let head = #"<?xml version="1.0" encoding="windows-1252"?>"#
        func bytes(_ before: String, _ byte: UInt8, _ after: String) -> [UInt8] {
            Array(before.utf8) + [byte] + Array(after.utf8)
        }
        let western = bytes("\(head)<movie><title>T", 0xED, "tulo</title></movie>")
        #expect(try XMLReader.read(western)["title"] == "Título")
        let latin = bytes("<?xml version='1.0' encoding='ISO-8859-1'?><gpx><name>Pe", 0xF1, "a</name></gpx>")
        #expect(try XMLReader.read(latin)["name"] == "Peña")
        let text = "\(head)<a><b>ñ</b></a>"
        // A document that says one thing and is another is what it is.
        #expect(try XMLReader.read(Array(text.utf8))["b"] == "ñ")
        let units: [UInt8] = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(try XMLReader.read([0xFF, 0xFE] + units)["b"] == "ñ")
        // Without a declaration, and with one that is not known.
        for head in ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version='1.0' encoding='KOI8-R'?>"] {
            #expect(throws: XMLReader.Failure.self) { try XMLReader.read(bytes("\(head)<a>", 0xF1, "</a>")) }
        }
    }

    @Test func notesMayHoldHTMLAndAmpersands() throws {
        let text = "<movie><title>Sal & pimienta</title><plot>uno&nbsp;dos &eacute; AT&T; &amp; &#241;&</plot></movie>"
        let notes = try XMLReader.read(Array(text.utf8), toleratesMarkup: true)
        #expect(notes["title"] == "Sal & pimienta")
        #expect(notes["plot"] == "uno\u{A0}dos é AT&T; & ñ&")
        #expect(throws: XMLReader.Failure.self) { try XMLReader.read(Array(text.utf8)) }
    }
}
