(* Netlists of XOR, AND and NOT: what they mean, and a computation that counts their samples over all inputs, with its proof. *)
From Coq Require Import ZArith List Bool Lia Permutation FMapPositive.
Import ListNotations.
Local Open Scope Z_scope.

(* Wires have the numbers 1, 2, ...: first the inputs, then the result of each gate. *)
Inductive gate := Xor (a b : positive) | And (a b : positive) | Not (a : positive).
Record netlist := { inputs : nat; gates : list gate; outputs : list positive }.

(* The semantics, over any values of wires: booleans, or functions of the inputs. *)
Section Run.
  Context {A : Type} (xor and : A -> A -> A) (not : A -> A) (none : A).
  Definition wire (ws : PositiveMap.t A) (i : positive) : A :=
    match PositiveMap.find i ws with Some a => a | None => none end.
  Definition result (ws : PositiveMap.t A) (g : gate) : A :=
    match g with
    | Xor a b => xor (wire ws a) (wire ws b)
    | And a b => and (wire ws a) (wire ws b)
    | Not a => not (wire ws a)
    end.
  Fixpoint load (ws : PositiveMap.t A) (next : positive) (l : list A) : PositiveMap.t A :=
    match l with [] => ws | a :: l => load (PositiveMap.add next a ws) (Pos.succ next) l end.
  Fixpoint run (ws : PositiveMap.t A) (next : positive) (gs : list gate) : PositiveMap.t A :=
    match gs with [] => ws | g :: gs => run (PositiveMap.add next (result ws g) ws) (Pos.succ next) gs end.
  Definition evaluate (c : netlist) (l : list A) : list A :=
    map (wire (run (load (PositiveMap.empty A) 1 l) (Pos.of_succ_nat (inputs c)) (gates c))) (outputs c).
End Run.

Definition outputs_of : netlist -> list bool -> list bool := evaluate xorb andb negb false.

(* The least significant bit first: without a sign, and in two's complement. *)
Fixpoint unsigned (bits : list bool) : Z := match bits with [] => 0 | b :: r => Z.b2z b + 2 * unsigned r end.
Fixpoint signed (bits : list bool) : Z :=
  match bits with [] => 0 | [b] => - Z.b2z b | b :: r => Z.b2z b + 2 * signed r end.

(* All lists of n bits, and how many of them the netlist turns into the sample x. *)
Fixpoint all (n : nat) : list (list bool) :=
  match n with O => [[]] | S n => map (cons false) (all n) ++ map (cons true) (all n) end.
Definition occurrences (decode : list bool -> Z) (c : netlist) (x : Z) : Z :=
  Z.of_nat (length (filter (fun l => decode (outputs_of c l) =? x) (all (inputs c)))).

(* A map that carries the operations over carries the outputs over. *)
Section Carry.
  Context {A B : Type} (h : A -> B) (xor and : A -> A -> A) (not : A -> A) (none : A).
  Context (xor' and' : B -> B -> B) (not' : B -> B) (none' : B).
  Hypotheses (X : forall a b, h (xor a b) = xor' (h a) (h b)) (N : forall a b, h (and a b) = and' (h a) (h b)).
  Hypotheses (C : forall a, h (not a) = not' (h a)) (O : h none = none').
  Definition carries (ws : PositiveMap.t A) (vs : PositiveMap.t B) : Prop :=
    forall i, h (wire none ws i) = wire none' vs i.

  Lemma carries_add ws vs i a b : carries ws vs -> h a = b -> carries (PositiveMap.add i a ws) (PositiveMap.add i b vs).
  Proof.
    intros R E j. unfold wire. destruct (Pos.eq_dec j i) as [-> | D].
    - now rewrite !PositiveMap.gss.
    - rewrite !PositiveMap.gso by exact D. apply R.
  Qed.

  Lemma carries_load l : forall ws vs next, carries ws vs -> carries (load ws next l) (load vs next (map h l)).
  Proof. induction l as [|a l IH]; intros ws vs next R; [exact R|]. apply IH, carries_add; auto. Qed.

  Lemma carries_run gs : forall ws vs next, carries ws vs ->
    carries (run xor and not none ws next gs) (run xor' and' not' none' vs next gs).
  Proof.
    induction gs as [|g gs IH]; intros ws vs next R; [exact R|]. apply IH, carries_add; [exact R|].
    destruct g; simpl; rewrite ?X, ?N, ?C, ?R; reflexivity.
  Qed.

  Lemma evaluate_carries c l : map h (evaluate xor and not none c l) = evaluate xor' and' not' none' c (map h l).
  Proof.
    unfold evaluate. rewrite map_map. apply map_ext. apply carries_run, carries_load. intros i.
    unfold wire. now rewrite !PositiveMap.gempty.
  Qed.
End Carry.

(* Decision trees over the inputs. *)
Inductive tree := Leaf (b : bool) | Node (input : positive) (low high : tree).
Fixpoint eval (e : positive -> bool) (t : tree) : bool :=
  match t with Leaf b => b | Node i l h => if e i then eval e h else eval e l end.

Definition node (i : positive) (l h : tree) : tree :=
  match l, h with Leaf a, Leaf b => if eqb a b then l else Node i l h | _, _ => Node i l h end.

Section Trees.
  (* The first k inputs are nearest the root, the others with the last input first. The theorems hold for any order. *)
  Variable k : nat.
  Definition rank (i : positive) : positive := if (i <=? Pos.of_nat k)%positive then (i + 1024)%positive else i.

  Fixpoint apply (f : bool -> bool -> bool) (a : tree) : tree -> tree :=
    fix go (b : tree) : tree :=
      match a, b with
      | Leaf x, Leaf y => Leaf (f x y)
      | Leaf _, Node j l h => node j (go l) (go h)
      | Node i l h, Leaf _ => node i (apply f l b) (apply f h b)
      | Node i l h, Node j l' h' =>
          match Pos.compare (rank i) (rank j) with
          | Lt => node j (go l') (go h')
          | Gt => node i (apply f l b) (apply f h b)
          | Eq => if (i =? j)%positive then node i (apply f l l') (apply f h h') else node i (apply f l b) (apply f h b)
          end
      end.
  Fixpoint complement (t : tree) : tree :=
    match t with Leaf b => Leaf (negb b) | Node i l h => Node i (complement l) (complement h) end.

  Lemma eval_node e i l h : eval e (node i l h) = if e i then eval e h else eval e l.
  Proof.
    unfold node. destruct l as [a|], h as [b|]; try reflexivity. destruct (eqb a b) eqn:E; [|reflexivity].
    apply eqb_prop in E. subst b. simpl. now destruct (e i).
  Qed.

  Lemma eval_apply f e a : forall b, eval e (apply f a b) = f (eval e a) (eval e b).
  Proof.
    induction a as [x | i l IHl h IHh]; intros b; induction b as [y | j l' IHl' h' IHh']; simpl.
    - reflexivity.
    - rewrite eval_node. simpl in *. rewrite IHl', IHh'. now destruct (e j).
    - rewrite eval_node, IHl, IHh. simpl. now destruct (e i).
    - assert (S : eval e (node i (apply f l (Node j l' h')) (apply f h (Node j l' h')))
        = f (if e i then eval e h else eval e l) (if e j then eval e h' else eval e l')).
      { rewrite eval_node, IHl, IHh. simpl. now destruct (e i). }
      destruct (rank i ?= rank j)%positive; [| | exact S].
      + destruct (i =? j)%positive eqn:E; [|exact S]. apply Pos.eqb_eq in E. subst j.
        rewrite eval_node, IHl, IHh. now destruct (e i).
      + rewrite eval_node. simpl in IHl', IHh'. rewrite IHl', IHh'. now destruct (e j).
  Qed.

  Lemma eval_complement e t : eval e (complement t) = negb (eval e t).
  Proof. induction t as [b | i l IHl h IHh]; simpl; [reflexivity|]. rewrite IHl, IHh. now destruct (e i). Qed.

  (* The inputs, and the outputs as trees. *)
  Definition wires (n : nat) : list positive := map Pos.of_succ_nat (seq 0 n).
  Definition trees (c : netlist) : list tree :=
    evaluate (apply xorb) (apply andb) complement (Leaf false) c
      (map (fun i => Node i (Leaf false) (Leaf true)) (wires (inputs c))).

  Lemma trees_sound c e : map (eval e) (trees c) = outputs_of c (map e (wires (inputs c))).
  Proof.
    unfold trees, outputs_of.
    rewrite (evaluate_carries (eval e) _ _ _ _ xorb andb negb false); auto using eval_apply, eval_complement.
    rewrite map_map. f_equal. apply map_ext. intros i. simpl. now destruct (e i).
  Qed.

  (* The inputs from the root on. *)
  Definition order (n : nat) : list positive :=
    rev (map Pos.of_succ_nat (seq 0 k)) ++ rev (map Pos.of_succ_nat (seq k (n - k))).
  Lemma order_permutes n : (k <= n)%nat -> Permutation (order n) (wires n).
  Proof.
    intros H. unfold order, wires. replace (seq 0 n) with (seq 0 k ++ seq k (n - k)).
    - rewrite map_app. apply Permutation_app; apply Permutation_sym, Permutation_rev.
    - assert (E := seq_app k (n - k) 0). simpl in E. rewrite <- E. f_equal. lia.
  Qed.
End Trees.

Lemma wires_distinct n : NoDup (wires n).
Proof.
  unfold wires. apply FinFun.Injective_map_NoDup, seq_NoDup. intros a b E. now apply SuccNat2Pos.inj.
Qed.

(* How many values of these inputs meet a condition; the other inputs are those of e. *)
Definition set (i : positive) (b : bool) (e : positive -> bool) (j : positive) : bool :=
  if (j =? i)%positive then b else e j.
Fixpoint count (vs : list positive) (f : (positive -> bool) -> bool) (e : positive -> bool) : Z :=
  match vs with [] => Z.b2z (f e) | v :: vs => count vs f (set v false e) + count vs f (set v true e) end.

Lemma count_ext vs : forall f g e, (forall d, (forall i, ~ In i vs -> d i = e i) -> f d = g d) -> count vs f e = count vs g e.
Proof.
  induction vs as [|v vs IH]; intros f g e H; simpl.
  - rewrite (H e); auto.
  - f_equal; apply IH; intros d D; apply H; intros i I; rewrite D by (intros J; apply I; now right);
      unfold set; destruct (Pos.eqb_spec i v) as [-> | _]; auto; elim I; now left.
Qed.

Definition respects (f : (positive -> bool) -> bool) : Prop := forall d e, (forall i, d i = e i) -> f d = f e.

Lemma count_same vs f : respects f -> forall d e, (forall i, d i = e i) -> count vs f d = count vs f e.
Proof.
  intros R. induction vs as [|v vs IH]; intros d e H; simpl; [now rewrite (R d e)|].
  f_equal; apply IH; intros i; unfold set; destruct (i =? v)%positive; auto.
Qed.

Lemma count_permutation f vs ws : respects f -> Permutation vs ws -> NoDup vs -> forall e, count vs f e = count ws f e.
Proof.
  intros R P. induction P as [| v vs ws P IH | v w vs | a b c P IH Q IH']; intros D e; simpl.
  - reflexivity.
  - inversion D; subst. now rewrite !IH.
  - assert (N : v <> w) by (inversion D; subst; intros ->; apply H1; now left).
    assert (S : forall x y, count vs f (set v x (set w y e)) = count vs f (set w y (set v x e))).
    { intros x y. apply count_same; [exact R|]. intros i. unfold set.
      destruct (Pos.eqb_spec i v), (Pos.eqb_spec i w); congruence. }
    rewrite !S. lia.
  - rewrite IH by exact D. apply IH'. now apply (Permutation_NoDup P).
Qed.

Lemma count_constant vs b e : count vs (fun _ => b) e = Z.b2z b * 2 ^ Z.of_nat (length vs).
Proof.
  revert e. induction vs as [|v vs IH]; intros e; [simpl; lia|].
  cbn [count length]. rewrite !IH, Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma filter_map {A B} (g : B -> bool) (h : A -> B) l : length (filter g (map h l)) = length (filter (fun a => g (h a)) l).
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (g (h a)); simpl; now rewrite IH. Qed.

Lemma count_lists n : forall s g e,
  count (map Pos.of_succ_nat (seq s n)) (fun d => g (map d (map Pos.of_succ_nat (seq s n)))) e
    = Z.of_nat (length (filter g (all n))).
Proof.
  induction n as [|n IH]; intros s g e.
  - simpl. now destruct (g []).
  - cbn [seq map count all]. rewrite filter_app, app_length, Nat2Z.inj_add, !filter_map.
    assert (E : forall b, count (map Pos.of_succ_nat (seq (S s) n))
        (fun d => g (d (Pos.of_succ_nat s) :: map d (map Pos.of_succ_nat (seq (S s) n)))) (set (Pos.of_succ_nat s) b e)
      = Z.of_nat (length (filter (fun l => g (b :: l)) (all n)))).
    { intros b. rewrite <- (IH (S s) (fun l => g (b :: l)) (set (Pos.of_succ_nat s) b e)). apply count_ext. intros d D.
      rewrite D; [unfold set; now rewrite Pos.eqb_refl|]. rewrite in_map_iff. intros (i & I & J).
      apply SuccNat2Pos.inj in I. apply in_seq in J. lia. }
    now rewrite !E.
Qed.

(* The samples of some trees over the values of some inputs, with the number of each. *)
Fixpoint leaves (ts : list tree) : option (list bool) :=
  match ts with
  | [] => Some []
  | Leaf b :: ts => match leaves ts with Some bs => Some (b :: bs) | None => None end
  | _ => None
  end.
Definition side (i : positive) (b : bool) (t : tree) : tree :=
  match t with Node j l h => if (j =? i)%positive then (if b then h else l) else t | _ => t end.
Fixpoint samples (decode : list bool -> Z) (vs : list positive) (ts : list tree) : option (list (Z * Z)) :=
  match leaves ts with
  | Some bs => Some [(decode bs, 2 ^ Z.of_nat (length vs))]
  | None =>
      match vs with
      | [] => None
      | v :: vs =>
          match samples decode vs (map (side v false) ts), samples decode vs (map (side v true) ts) with
          | Some l, Some r => Some (l ++ r)
          | _, _ => None
          end
      end
  end.
Definition tally (x : Z) (l : list (Z * Z)) : Z := fold_right (fun p s => if fst p =? x then snd p + s else s) 0 l.

Lemma leaves_sound ts : forall bs, leaves ts = Some bs -> forall e, map (eval e) ts = bs.
Proof.
  induction ts as [|[b|] ts IH]; simpl; intros bs H e; inversion H; [reflexivity|].
  destruct (leaves ts) as [r|]; inversion H. simpl. now rewrite (IH r).
Qed.

Lemma eval_side e i b t : e i = b -> eval e (side i b t) = eval e t.
Proof.
  intros E. destruct t as [|j l h]; [reflexivity|]. simpl. destruct (Pos.eqb_spec j i) as [-> | _]; [|reflexivity].
  rewrite E. now destruct b.
Qed.

Lemma tally_app x l r : tally x (l ++ r) = tally x l + tally x r.
Proof.
  unfold tally. induction l as [|p l IH]; [reflexivity|]. simpl. destruct (fst p =? x); lia.
Qed.

Lemma samples_sound decode x vs : NoDup vs -> forall ts found e, samples decode vs ts = Some found ->
  count vs (fun d => decode (map (eval d) ts) =? x) e = tally x found.
Proof.
  assert (L : forall vs ts bs e, leaves ts = Some bs -> count vs (fun d => decode (map (eval d) ts) =? x) e
    = tally x [(decode bs, 2 ^ Z.of_nat (length vs))]).
  { intros ws ts bs e H. rewrite (count_ext _ _ (fun _ => decode bs =? x)) by (intros; now rewrite (leaves_sound ts bs)).
    rewrite count_constant. unfold tally. cbn [fold_right fst snd]. destruct (decode bs =? x); cbn [Z.b2z]; lia. }
  induction 1 as [|v vs I D IH]; intros ts found e H; cbn [samples] in H.
  - destruct (leaves ts) as [bs|] eqn:E; [|discriminate]. injection H as <-. now apply (L [] ts bs).
  - destruct (leaves ts) as [bs|] eqn:E; [injection H as <-; now apply (L (v :: vs) ts bs)|].
    destruct (samples decode vs (map (side v false) ts)) as [l|] eqn:F; [|discriminate].
    destruct (samples decode vs (map (side v true) ts)) as [r|] eqn:T; [|discriminate]. injection H as <-.
    rewrite tally_app. cbn [count]. rewrite <- (IH _ _ (set v false e) F), <- (IH _ _ (set v true e) T).
    f_equal; apply count_ext; intros d M; do 2 f_equal; rewrite map_map; apply map_ext; intros t; symmetry;
      apply eval_side; rewrite M by exact I; unfold set; now rewrite Pos.eqb_refl.
Qed.

(* The check: the samples are those listed, each as often as its mass. *)
Definition is_law (k : nat) (decode : list bool -> Z) (c : netlist) (listed : list Z) (masses : Z -> Z) : bool :=
  match samples decode (order k (inputs c)) (trees k c) with
  | Some found =>
      (k <=? inputs c)%nat && forallb (fun p => existsb (Z.eqb (fst p)) listed) found
        && forallb (fun x => tally x found =? masses x) listed
  | None => false
  end.

Lemma tally_none x l : ~ In x (map fst l) -> tally x l = 0.
Proof.
  induction l as [|p l IH]; intros H; [reflexivity|]. unfold tally in *. simpl. destruct (Z.eqb_spec (fst p) x) as [E | _].
  - elim H. now left.
  - apply IH. intros I. apply H. now right.
Qed.

Theorem is_law_sound k decode c listed masses : is_law k decode c listed masses = true ->
  (forall x, ~ In x listed -> masses x = 0) -> forall x, occurrences decode c x = masses x.
Proof.
  unfold is_law. destruct (samples decode (order k (inputs c)) (trees k c)) as [found|] eqn:E; [|discriminate].
  rewrite !andb_true_iff, !forallb_forall. intros [[K L] M] Z0 x. apply Nat.leb_le in K.
  assert (P := order_permutes k (inputs c) K).
  assert (D : NoDup (order k (inputs c))) by (apply (Permutation_NoDup (Permutation_sym P)), wires_distinct).
  assert (C := samples_sound decode x _ D _ _ (fun _ => false) E).
  assert (T : occurrences decode c x = tally x found).
  { rewrite <- C. unfold occurrences. rewrite <- (count_lists (inputs c) 0 _ (fun _ => false)). fold (wires (inputs c)).
    rewrite <- (count_permutation _ _ _) with (2 := P) (3 := D).
    - apply count_ext. intros d _. now rewrite trees_sound.
    - intros d e H. rewrite (map_ext d e) by exact H. reflexivity. }
  rewrite T. destruct (in_dec Z.eq_dec x listed) as [I | I].
  - apply Z.eqb_eq, M, I.
  - rewrite (Z0 x I). apply tally_none. intros J. apply in_map_iff in J as (p & F & Q). specialize (L p Q).
    apply existsb_exists in L as (y & Y & F'). apply Z.eqb_eq in F'. congruence.
Qed.
