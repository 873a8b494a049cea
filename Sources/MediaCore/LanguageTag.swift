/// A language tag as playlists use it (RFC 5646), with the language's name in that language.
package struct LanguageTag: Sendable, Hashable {
    /// The normalized tag, such as `es`, `pt-BR` or `gsw`.
    package let text: String

    /// Length limit of RFC 5646 §4.4.1.
    private static let maximumByteCount = 35

    /// Creates a normalized tag; `nil` if `text` is not a language tag, and for codes that name no language (`und`,
    /// `mis`, `mul`, `zxx`, `qaa`).
    ///
    /// - Parameter text: a tag, or an ISO 639-2 code such as `spa`, `ger` or `deu`, which becomes the shortest
    ///   equivalent code (RFC 5646 §2.2.1).
    package init?(_ text: String) {
        let subtags = text.split(separator: text.contains("_") ? "_" : "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumByteCount, let first = subtags.first, (2...3).contains(first.utf8.count),
            first.utf8.allSatisfy({ $0.isASCIILetter }),
            subtags.dropFirst().allSatisfy({ subtag in
                (1...8).contains(subtag.utf8.count) && subtag.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            })
        else { return nil }
        let language = first.lowercased()
        guard !["und", "mis", "mul", "zxx", "qaa"].contains(language) else { return nil }
        let rest = subtags.dropFirst().map { subtag in
            switch subtag.utf8.count {
            case 2: subtag.uppercased()
            case 4: subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
            default: subtag.lowercased()
            }
        }
        self.text = ([Self.languages[language]?.code ?? language] + rest).joined(separator: "-")
    }

    /// Creates a tag from a QuickTime language code; `nil` for unassigned codes and for 0x7FFF (unspecified).
    ///
    /// - Parameter macintoshLanguageCode: a value from the table "Language Code Values" of the QuickTime File Format.
    package init?(macintoshLanguageCode: UInt16) {
        guard Self.macintoshLanguages.indices.contains(Int(macintoshLanguageCode)) else { return nil }
        self.init(Self.macintoshLanguages[Int(macintoshLanguageCode)])
    }

    /// Name of the language in that language, followed by the remaining subtags in parentheses; the tag itself if no
    /// name is known.
    package var name: String {
        let subtags = text.split(separator: "-")
        guard let first = subtags.first, let name = Self.languages[String(first)]?.name else { return text }
        return subtags.count > 1 ? "\(name) (\(subtags.dropFirst().joined(separator: "-")))" : name
    }

    /// ISO 639 codes in the order of QuickTime's language codes, from 0.
    private static let macintoshLanguages = [
        "en", "fr", "de", "it", "nl", "sv", "es", "da", "pt", "nb", "he", "ja", "ar", "fi", "el", "is", "mt", "tr",
        "hr", "zh", "ur", "hi", "th", "ko", "lt", "pl", "hu", "et", "lv", "se", "fo", "fa", "ru", "zh", "nl", "ga",
        "sq", "ro", "cs", "sk", "sl",
    ]

    /// Languages, keyed by each of their ISO 639 codes: part 1, part 2/T (terminology) and part 2/B (bibliographic).
    private static let languages: [String: (code: String, name: String)] = {
        var languages: [String: (code: String, name: String)] = [:]
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 1)
            guard fields.count == 2 else { continue }
            let codes = fields[0].split(separator: ",").map(String.init)
            for code in codes { languages[code] = (codes[0], String(fields[1])) }
        }
        return languages
    }()

    private static let table = """
        af,afr Afrikaans
        sq,sqi,alb Shqip
        am,amh አማርኛ
        ar,ara العربية
        hy,hye,arm Հայերեն
        az,aze Azərbaycanca
        eu,eus,baq Euskara
        be,bel Беларуская
        bn,ben বাংলা
        bs,bos Bosanski
        bg,bul Български
        ca,cat Català
        zh,zho,chi 中文
        hr,hrv Hrvatski
        cs,ces,cze Čeština
        da,dan Dansk
        nl,nld,dut Nederlands
        en,eng English
        eo,epo Esperanto
        et,est Eesti
        fo,fao Føroyskt
        fi,fin Suomi
        fr,fra,fre Français
        gl,glg Galego
        ka,kat,geo ქართული
        de,deu,ger Deutsch
        el,ell,gre Ελληνικά
        gn,grn Avañeʼẽ
        gu,guj ગુજરાતી
        he,heb עברית
        hi,hin हिन्दी
        hu,hun Magyar
        is,isl,ice Íslenska
        id,ind Indonesia
        ga,gle Gaeilge
        it,ita Italiano
        ja,jpn 日本語
        kn,kan ಕನ್ನಡ
        kk,kaz Қазақ тілі
        km,khm ខ្មែរ
        ko,kor 한국어
        ku,kur Kurdî
        ky,kir Кыргызча
        lo,lao ລາວ
        la,lat Latina
        lv,lav Latviešu
        lt,lit Lietuvių
        lb,ltz Lëtzebuergesch
        mk,mkd,mac Македонски
        ms,msa,may Melayu
        ml,mal മലയാളം
        mt,mlt Malti
        mr,mar मराठी
        mn,mon Монгол
        my,mya,bur မြန်မာ
        ne,nep नेपाली
        nb,nob Norsk bokmål
        nn,nno Norsk nynorsk
        no,nor Norsk
        oc,oci Occitan
        fa,fas,per فارسی
        pl,pol Polski
        pt,por Português
        pa,pan ਪੰਜਾਬੀ
        qu,que Runasimi
        ro,ron,rum Română
        ru,rus Русский
        se,sme Davvisámegiella
        sr,srp Српски
        si,sin සිංහල
        sk,slk,slo Slovenčina
        sl,slv Slovenščina
        so,som Soomaali
        es,spa Español
        sw,swa Kiswahili
        sv,swe Svenska
        tl,tgl Tagalog
        ta,tam தமிழ்
        te,tel తెలుగు
        th,tha ไทย
        tr,tur Türkçe
        uk,ukr Українська
        ur,urd اردو
        uz,uzb Oʻzbekcha
        vi,vie Tiếng Việt
        cy,cym,wel Cymraeg
        yi,yid ייִדיש
        yo,yor Yorùbá
        zu,zul isiZulu
        """
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
