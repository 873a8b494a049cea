import MediaCore

/// The genres of an ID3 tag, which may be numbers of a list.
enum ID3Genre {
    /// Names by number (id3v2.3.0, appendix A).
    private static let names = """
        Blues;Classic Rock;Country;Dance;Disco;Funk;Grunge;Hip-Hop;Jazz;Metal;New Age;Oldies;Other;Pop;R&B;Rap;Reggae;\
        Rock;Techno;Industrial;Alternative;Ska;Death Metal;Pranks;Soundtrack;Euro-Techno;Ambient;Trip-Hop;Vocal;\
        Jazz+Funk;Fusion;Trance;Classical;Instrumental;Acid;House;Game;Sound Clip;Gospel;Noise;Alternative Rock;Bass;\
        Soul;Punk;Space;Meditative;Instrumental Pop;Instrumental Rock;Ethnic;Gothic;Darkwave;Techno-Industrial;\
        Electronic;Pop-Folk;Eurodance;Dream;Southern Rock;Comedy;Cult;Gangsta;Top 40;Christian Rap;Pop/Funk;Jungle;\
        Native American;Cabaret;New Wave;Psychedelic;Rave;Showtunes;Trailer;Lo-Fi;Tribal;Acid Punk;Acid Jazz;Polka;\
        Retro;Musical;Rock & Roll;Hard Rock;Folk;Folk-Rock;National Folk;Swing;Fast Fusion;Bebop;Latin;Revival;Celtic;\
        Bluegrass;Avantgarde;Gothic Rock;Progressive Rock;Psychedelic Rock;Symphonic Rock;Slow Rock;Big Band;Chorus;\
        Easy Listening;Acoustic;Humour;Speech;Chanson;Opera;Chamber Music;Sonata;Symphony;Booty Bass;Primus;\
        Porn Groove;Satire;Slow Jam;Club;Tango;Samba;Folklore;Ballad;Power Ballad;Rhythmic Soul;Freestyle;Duet;\
        Punk Rock;Drum Solo;A Cappella;Euro-House;Dance Hall
        """.split(separator: ";").map(String.init)

    /// The genres that a text names: `(51)(39)`, `(4)Eurodisco`, `17` or words (id3v2.3.0 §4.2.1, TCON).
    ///
    /// - Returns: Names; numbers that the list does not have are left out.
    static func names(in text: String) -> [String] {
        var result: [String] = []
        var rest = text[...]
        // Two parentheses begin a text with one.
        while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
            guard let name = name(of: rest[rest.index(after: rest.startIndex)..<end], isReference: true) else { break }
            if !name.isEmpty { result.append(name) }
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("((") { rest = rest.dropFirst() }
        if let name = name(of: rest, isReference: false) {
            if !name.isEmpty { result.append(name) }
        } else {
            result.append(String(rest))
        }
        return result
    }

    /// The name of a reference; empty for a number without one, `nil` if the text is not a reference.
    private static func name(of text: Substring, isReference: Bool) -> String? {
        switch text {
        case "RX": return "Remix"
        case "CR": return "Cover"
        case "": return isReference ? nil : ""
        default:
            guard text.utf8.count <= 3, let number = Int(digits: text) else { return nil }
            return names.indices.contains(number) ? names[number] : ""
        }
    }
}
