//! Every number that decides which sentence is told, in one table. A change here is seen in `tests/sentences.txt`.
//!
//! Centipawns are those of the search's score; plies are counted from the position before the mistake.

// When the material is the reason.

/// Least difference of material between the two lines that is a reason, in centipawns: a pawn, less what its
/// capturer's place may cost.
pub const MIN_MATERIAL: i32 = 80;
/// A rook for a bishop or a knight, in centipawns.
pub const EXCHANGE: i32 = 200;
/// The material must make at least this share of the loss, in per cent: a reason is most of what a mistake costs; …
pub const MATERIAL_SHARE: i32 = 50;
/// … of the exchange or more this one: nobody calls that a small part of a loss, …
pub const EXCHANGE_SHARE: i32 = 40;
/// … what falls to the answer this one, as nobody overlooks it, …
pub const AT_ONCE_SHARE: i32 = 25;
/// … and at most this one, in per cent, and as many centipawns more: a greater one is an accident of the line.
pub const MATERIAL_EXCESS: (i32, i32) = (200, 100);
/// Plies after which a change of material is late: one way among many.
pub const LATE: usize = 9;
/// The same of a pawn.
pub const LATE_PAWN: usize = 6;
/// A loss is named instead of a later gain of up to twice its size if more plies than this lie between them.
pub const SOONER: usize = 4;
/// A piece is not lost if most of its worth comes back within so many plies.
pub const TAKEN_BACK: usize = 6;
/// A pawn that comes back within so many plies is neither lost nor won.
pub const WON_BACK: usize = 8;
/// A change of material has happened where the material is that of the end but for this share of it, in per cent,
/// within these centipawns, …
pub const SETTLED: (i32, [i32; 2]) = (50, [30, 100]);
/// … and stays: from there on at least this share of it remains, in per cent.
pub const REMAINS: i32 = 40;
/// Of a first change of material at least this share must remain to the end of the line, in per cent.
pub const STAYS: i32 = 80;
/// The beginning of a greater loss or gain is told if it is at least this share of it, in per cent.
pub const FIRST_SHARE: i32 = 30;
/// A gain of this many centipawns before a promotion is told instead of it.
pub const GREAT_GAIN: i32 = 250;
/// Less than a piece, in centipawns: a loss up to this is no reason where another defence keeps it, and who gives more for checks
/// without end gives a piece.
pub const LESS_THAN_PIECE: i32 = 250;
/// Score from which on centipawns mean little: the share of a loss is not asked for.
pub const GREAT: i32 = 800;
/// A change of material up to this, in centipawns, must be forced: the side that suffers it has no other move …
pub const SMALL: i32 = 150;
/// … at its last decisions before it, as many as these, and at its first, …
pub const DECISIONS: usize = 3;
/// … that keeps the material and is worse by this at most, in centipawns.
pub const AS_GOOD: i32 = 25;
/// … and by so much more for each ply after these that the pawn falls later, captures not counted: a reader of a long line asks
/// for another way.
pub const LATER: (i32, usize) = (10, 3);
/// What falls in both lines is the same loss, though the other line gets so much more for it, in centipawns.
pub const SAME_LOSS: i32 = 200;
/// Other moves that are tried at each of them, the best first.
pub const ALTERNATIVES: usize = 2;
/// Positions in a row in which material is lost that is not kept, though it may come back.
pub const REGAINED: usize = 3;
/// A greater change is seen in the score if the loss is at least this share of it, in per cent. Otherwise the line is played
/// on until it rests, and the change must remain.
pub const SCORED: i32 = 75;
/// What falls at once and stays away for some moves is told if the loss is at least this share of it, in per cent.
pub const SEEN: i32 = 50;
/// Points of the chance to win, of 100, by which a defence that loses less material may be worse than the one in the line: about
/// as good, or about as hopeless.
pub const AS_HOPELESS: f64 = 2.0;
/// The chance to win, of 100, below which a game is hopeless: then any move about as hopeless that keeps a pawn refutes its loss.
pub const HOPELESS_CHANCE: f64 = 5.0;
/// Points of the chance to win, of 100, that a defence may cost and is still one that a reader asks for: less than an inaccuracy. What
/// a move would have won, what falls in parentheses and queens that go must happen against all such.
pub const PLAUSIBLE: f64 = 5.0;
/// Decisions of the side that loses material, the first ones of a line, at which it tries another defence.
pub const DEFENCES: usize = 3;
/// What falls has fallen with this share of it, in per cent: pawns come and go after a rook.
pub const MOST: i32 = 60;
/// Most plies from a recapture on within which it costs more than it takes.
pub const TRAP: usize = 6;
/// A recapture costs as much where the loss is less by this at most, in centipawns.
pub const AS_MUCH: i32 = 50;
/// What a line offers costs more to take by this, in centipawns, though nothing falls soon.
pub const COSTLY: i32 = 100;
/// A mate in more moves than this that a move allows is no reason where material is one …
pub const FAR_MATE: i32 = 5;
/// … and one that it misses: what the defender gives to put off the mate is nothing to win.
pub const FAR_MISSED: i32 = 8;
/// Score, in centipawns, from which on a perpetual check saves the other side, …
pub const SAVED: i32 = 100;
/// … checks in a row that are one, …
pub const CHECKS: usize = 2;
/// … and plies to which a line is played on to see them.
pub const LONG_CHECKS: usize = 16;
/// Score, in centipawns, from which on a mate that is allowed only hastens a loss.
pub const HOPELESS: i32 = -1_000;
/// Plies within which queens that go anyway are gone soon.
pub const QUEENS_SOON: usize = 6;
/// Most plies until an exchange of queens that is told: as many as the sentence shows.
pub const QUEENS_SHOWN: usize = 4;

/// Score above the material of a side that has lost some, in centipawns, from which on it has something for it, or is about to
/// get it back.
pub const REPAID: i32 = 150;

// When something else is the reason.

/// If a chance to win lies within so many points (of 100) of the border between two words for who stands better, the sentence
/// shows the scores instead of the words.
pub const BORDER: f64 = 1.5;

/// Least difference of another term, in centipawns, that is a reason …
pub const MIN_TERM: i32 = 20;
/// … and its least share of the loss, in per cent.
pub const TERM_SHARE: i32 = 25;
/// Least worth of a fact that is a reason, in centipawns, …
pub const MIN_FACT: i32 = 15;
/// … and its least share of the loss, in per cent, as that of a claim about both lines: no player blames a great loss on it.
pub const FACT_SHARE: i32 = 50;
/// Plies within which an enemy piece must come to its better square for the mistake to have allowed it.
pub const ALLOWED: usize = 4;

// Ideas of moves.

/// Moves of its own within which a side that castles later has not missed it.
pub const CASTLES_SOON: usize = 3;

/// Least number of pieces and pawns of a middlegame, where the centre counts.
pub const MIDDLEGAME: usize = 20;
/// Moves of the opening, where a knight's square counts.
pub const OPENING: u32 = 15;
/// Greatest loss, in centipawns, that a player blames on not castling, …
pub const TRIFLING: i32 = 100;
/// … on castling that is lost, and on queens that are exchanged.
pub const SLIGHT: i32 = 150;
/// A pawn ending with this score or less for its side is lost, in centipawns, …
pub const LOST: i32 = 300;
/// … one within this of 0 drawn, …
pub const EVEN: i32 = 30;
/// … by a search of as many times the usual limits; the same proves that a move is the only good one, and that a
/// defence refutes a claim.
pub const PROVED: u64 = 4;
/// Plies within which pawns of both sides promote in a race.
pub const RACE: usize = 14;
/// Plies within which pieces are exchanged so that the line leads to another ending.
pub const TRADED: usize = 6;
/// An answer is bad if the other side then stands better by this than by the best one, in centipawns.
pub const REFUTED: i32 = 50;

/// Least worth and least loss, in centipawns, of a rook or queen that a quiet move threatens to trap.
pub const TRAPPED: i32 = 400;
/// Centipawns by which a threat is worse for the other side if it passes than if it meets it, …
pub const THREATENED: i32 = 80;
/// … and most plies in which it wins something.
pub const THREAT_PLIES: usize = 3;

// What is praised.

/// Least score of a position whose best move is praised, in centipawns, …
pub const SOUND: i32 = -150;
/// … and the greatest: who wins anyway needs no praise.
pub const DECIDED: i32 = 500;
/// Material that a sacrifice gives up at least, in centipawns: more than a pawn.
pub const SACRIFICE: i32 = 150;
/// Points of the chance to win, of 100, that every other move loses at least where one is the only good one.
pub const ONLY_POINTS: f64 = 15.0;
/// Least difficulty of an only move that is praised, in Elo: an easier one goes without saying.
pub const MIN_RARE: u32 = 1300;

// Where a line ends.

/// Difference between score and static evaluation, in centipawns, up to which a line explains its score.
pub const EXPLAINED: i32 = 60;
/// Centipawns that a place in the middle of an exchange counts as further from the score: more than any piece.
pub const UNSETTLED: i32 = 2_000;
/// The same for a place where a piece hangs, or one of two falls.
pub const HANGING: i32 = 2 * EXPLAINED;
/// Centipawns that the evaluation may be further from the score for each ply that a line is shorter: every ply is a
/// guess more.
pub const PLY: i32 = 8;
/// Least length of a line, in plies, unless it ends earlier: a move and its answer.
pub const MIN_LENGTH: usize = 2;
/// Least length of a line, in plies, that looks for material that is lost later.
pub const LONG: usize = 10;
/// Most plies of a line.
pub const MAX_LENGTH: usize = 24;
/// Most searches that lengthen a line.
pub const EXTENSIONS: usize = 4;

// What a sentence shows.

/// Most plies of a line in a sentence. Of a longer one the beginning is shown, and its last ply.
pub const SHOWN: usize = 8;
/// Plies of the beginning.
pub const BEGINNING: usize = 5;
/// Plies of the better line beside a sentence about the line played.
pub const BETTER: usize = 3;
/// Plies after those of a sentence that may still prove a motif that begins in it.
pub const PROOF: usize = 2;
/// Motifs that one sentence names at most.
pub const NAMED: usize = 3;
